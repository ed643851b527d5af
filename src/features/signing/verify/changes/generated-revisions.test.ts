import { describe, expect, it } from "vitest";
import { seededRandom } from "#contract/statistics/random";
import { appendObjects, makeFile, type Objects, streamOf } from "#support/signing/verify/append-objects";
import { sampleObjects } from "#support/signing/verify/sample-objects";
import { PdfError } from "../../pdf/damaged.ts";
import { dictionaryOf, itemsOf, openView, type View } from "../../pdf/reader/open-view.ts";
import { entriesOf, nameOf, type PdfValue } from "../../pdf/reader/pdf-value.ts";
import { judgeChange } from "./change.ts";
import { compareViews } from "./compare-views.ts";

const file = makeFile(sampleObjects);

/**
 * A value with everything behind its references, as text. It follows no role: it is another way to see than
 * the code under test.
 */
const textOf = (view: View, value: PdfValue | undefined, above: readonly number[] = []): string => {
  if (value?.kind === "reference") {
    if (above.includes(value.number) || above.length > 6) return "again";
    return textOf(view, view.load(value.number), [...above, value.number]);
  }
  if (value?.kind === "array") return `[${value.items.map((item) => textOf(view, item, above)).join(" ")}]`;
  const entries = [...(entriesOf(value) ?? [])]
    .filter(([key]) => key !== "Parent" && key !== "P")
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, entry]) => `${key} ${textOf(view, entry, above)}`);
  if (value?.kind === "dictionary") return `<<${entries.join(" ")}>>`;
  if (value?.kind === "stream") return `<<${entries.join(" ")}>>${Buffer.from(value.raw).toString("latin1")}`;
  if (value?.kind === "string") return Buffer.from(value.bytes).toString("hex");
  return value === undefined || value.kind === "null" ? "null" : `${value.value}`;
};

/**
 * What a reader draws below all annotations. Some readers take a stream for a dictionary, and a page without
 * a reference.
 */
const contentOf = (view: View): string => {
  const pages: string[] = [];
  const walk = (value: PdfValue, depth: number): void => {
    const page = entriesOf(view.resolve(value)) ?? new Map<string, PdfValue>();
    if (depth < 5 && page.has("Kids"))
      for (const kid of itemsOf(view, page.get("Kids"))) walk(kid, depth + 1);
    else pages.push(["Contents", "Resources", "MediaBox"].map((key) => textOf(view, page.get(key))).join());
  };
  const root = dictionaryOf(view, view.trailer.get("Root")).get("Pages");
  if (root !== undefined) walk(root, 0);
  return pages.join("\n");
};

/** Appearances that are drawn, but those of fields whose value says that it is a signature. */
const unsignedLooks = (view: View): ReadonlySet<string> => {
  const pages = dictionaryOf(view, dictionaryOf(view, view.trailer.get("Root")).get("Pages"));
  const annotations = itemsOf(view, pages.get("Kids")).flatMap((page) =>
    itemsOf(view, entriesOf(view.resolve(page))?.get("Annots")),
  );
  const looks = annotations.flatMap((one) => {
    const entries = entriesOf(view.resolve(one));
    const value = entriesOf(view.resolve(entries?.get("V")));
    const isSignature = nameOf(view.resolve(value?.get("SubFilter"))) === "ETSI.CAdES.detached";
    const rect = textOf(view, entries?.get("Rect"));
    return entries?.has("AP") !== true || isSignature || rect === "[0 0 0 0]"
      ? []
      : [textOf(view, entries.get("AP"))];
  });
  return new Set(looks);
};

const numbers = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, 21, 22, 800, 801];

/** Objects of every role, with entries of other roles among them. */
const makeRevision = (random: () => number): Objects => {
  const pick = <Value>(from: readonly Value[]): Value => from[Math.floor(random() * from.length)]!;
  const reference = (): string => `${pick(numbers)} 0 R`;
  const entries = (): string =>
    [
      () => "/FT/Sig/T(x)",
      () => "/FT/Tx/T(y)",
      () => `/V ${reference()}`,
      () => "/V 5",
      () => "/Subtype/Widget/Rect[0 0 600 800]",
      () => "/Subtype/Widget/Rect[0 0 0 0]",
      () => `/AP<</N ${reference()}>>`,
      () => `/Kids[${reference()}]`,
      () => "/SubFilter/ETSI.RFC3161/Contents<00>/ByteRange[0 1 2 3]",
      () => "/Type/Sig/SubFilter/ETSI.CAdES.detached/Contents<00>/ByteRange[0 1 2 3]",
      () => `/Parent ${reference()}`,
      () => `/Contents ${reference()}`,
      () => "/Font<</F 5>>",
    ]
      .filter(() => random() < 0.25)
      .map((write) => write())
      .join("");
  const dictionary = (): string => `<<${entries()}>>`;
  const object = (number: number): string => {
    const former = sampleObjects[number];
    const isKept = former !== undefined && former.startsWith("<</") && random() < 0.6;
    if (isKept) return former.replace("<<", `<<${entries()}`);
    return random() < 0.4 ? streamOf(`(forged ${number}) Tj`, entries()) : dictionary();
  };
  const chance = (probability: number): boolean => random() < probability;
  // One object gets the role of a field or annotation, as a whole; beside it stands some noise.
  const target = pick([4, 5, 8, 20, 20, 21]);
  const rect = pick(["[0 0 0 0]", "[0 0 600 800]"]);
  const look = chance(0.4) ? "/AP<</N 22 0 R>>" : "";
  const entriesOfField = `/FT/Sig/T(x)${chance(0.8) ? "/V 800 0 R" : ""}/Subtype/Widget/Rect${rect}${look}/Font<</F 5>>`;
  const value = pick([
    "<</Type/DocTimeStamp/SubFilter/ETSI.RFC3161/Contents<00>/ByteRange[0 1 2 3]>>",
    "<</Type/Sig/SubFilter/ETSI.CAdES.detached/Contents<00>/ByteRange[0 1 2 3]>>",
    streamOf("x", "/SubFilter/ETSI.RFC3161"),
    "5",
  ]);
  const noise = chance(0.4)
    ? numbers.filter(() => chance(0.15)).map((number) => [number, object(number)])
    : [];
  const page = sampleObjects[3]?.replace(
    "12 0 R]",
    `12 0 R ${target} 0 R${chance(0.1) ? ` ${reference()}` : ""}]`,
  );
  const form = sampleObjects[6]?.replace(
    "10 0 R]",
    `10 0 R ${target} 0 R${chance(0.1) ? ` ${reference()}` : ""}]`,
  );
  return {
    [target]: chance(0.2) ? streamOf("(forged) Tj", entriesOfField) : `<<${entriesOfField}>>`,
    22: streamOf("(forged) Tj", "/Subtype/Form/BBox[0 0 600 800]"),
    800: value,
    ...(form !== undefined && chance(0.9) ? { 6: form } : {}),
    ...(page !== undefined && chance(0.6) ? { 3: page } : {}),
    ...(chance(0.05) ? { 2: `<</Type/Pages/Kids[3 0 R ${reference()}]/Count 1>>` } : {}),
    ...Object.fromEntries(noise),
  };
};

/** Which of these certifications allow the appended revision. A file that is refused is not allowed. */
const allowedBy = (
  before: View,
  after: View,
  certifications: readonly (1 | 3 | undefined)[],
): readonly boolean[] => {
  try {
    const changes = compareViews(before, after);
    return certifications.map((certification) =>
      changes.every((change) => judgeChange(change, { certification, rules: [] }) === "allowed"),
    );
  } catch (error) {
    if (error instanceof PdfError) return certifications.map(() => false);
    throw error;
  }
};

describe("generated revisions", () => {
  it("are never allowed where the page shows something else, or something new without a signature", () => {
    const random = seededRandom(24);
    const before = openView(file);
    const [content, looks] = [contentOf(before), unsignedLooks(before)];
    const counts = { allowed: 0, shown: 0, painted: 0 };
    for (let round = 0; round < 400; round++) {
      const objects = makeRevision(random);
      const after = openView(appendObjects(file, objects));
      const isShown = contentOf(after) !== content;
      const isPainted = [...unsignedLooks(after)].some((look) => !looks.has(look));
      const [open, closed, annotated] = allowedBy(before, after, [undefined, 1, 3]);
      const label = `round ${round}: ${JSON.stringify(objects)}`;
      if (isShown) expect([open, closed, annotated], label).toStrictEqual([false, false, false]);
      if (isPainted) expect([open, closed], label).toStrictEqual([false, false]);
      counts.allowed += open === true ? 1 : 0;
      counts.shown += isShown ? 1 : 0;
      counts.painted += isPainted ? 1 : 0;
    }
    // The generator makes all three kinds, so that no expectation above is empty.
    expect(Math.min(counts.allowed, counts.shown, counts.painted), JSON.stringify(counts)).toBeGreaterThan(
      20,
    );
  });
});
