import { describe, expect, it } from "vitest";
import { seededRandom } from "#statistics/random";
import { dictionaryOf, itemsOf, openView, type View } from "../file/open-view.ts";
import { entriesOf, nameOf, PdfError, type PdfValue } from "../file/pdf-value.ts";
import { appendObjects, makeFile, type Objects, streamOf } from "../testing/append-objects.ts";
import { sampleObjects } from "../testing/sample-objects.ts";
import { judgeChange } from "./change.ts";
import { compareViews } from "./compare-views.ts";

const file = makeFile(sampleObjects);

/** A value with everything behind its references, as text. It follows no role: it is another way to see than the code under test. */
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

/** What a reader draws below all annotations. Some readers take a stream for a dictionary, and a page without a reference. */
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
  const references = (kept: string): string =>
    [
      ...kept
        .split(" 0 R")
        .slice(0, -1)
        .map((one) => `${one.trim()} 0 R`),
      ...(random() < 0.7 ? [reference()] : []),
    ].join(" ");
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
  const changed = numbers.filter(() => random() < 0.25).map((number) => [number, object(number)]);
  const fields = `<</Fields[${references("7 0 R 9 0 R 10 0 R")}]/SigFlags 3>>`;
  const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources 5 0 R/Annots[${references("7 0 R 9 0 R 11 0 R 12 0 R")}]>>`;
  return {
    ...Object.fromEntries(changed),
    ...(random() < 0.7 ? { 6: fields } : {}),
    ...(random() < 0.7 ? { 3: page } : {}),
    ...(random() < 0.1 ? { 2: `<</Type/Pages/Kids[${references("3 0 R")}]/Count 1>>` } : {}),
  };
};

/** Whether a certification, or none, allows the appended revision. A file that is refused is not allowed. */
const isAllowed = (before: View, after: View, certification: 1 | 2 | 3 | undefined): boolean => {
  try {
    return compareViews(before, after).every(
      (change) => judgeChange(change, { certification, rules: [] }) === "allowed",
    );
  } catch (error) {
    if (error instanceof PdfError) return false;
    throw error;
  }
};

describe("generated revisions", () => {
  it("are never allowed where the page shows something else, or something new without a signature", () => {
    const random = seededRandom(24);
    const before = openView(file);
    const [content, looks] = [contentOf(before), unsignedLooks(before)];
    const counts = { allowed: 0, shown: 0, painted: 0 };
    for (let round = 0; round < 1500; round++) {
      const objects = makeRevision(random);
      const after = openView(appendObjects(file, objects));
      const isShown = contentOf(after) !== content;
      const isPainted = [...unsignedLooks(after)].some((look) => !looks.has(look));
      const [open, closed, annotated] = [undefined, 1, 3].map((one) =>
        isAllowed(before, after, one === 1 || one === 3 ? one : undefined),
      );
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
