import { describe, expect, it } from "vitest";
import { appendObjects, makeFile, type Objects, streamOf } from "#support/signing/verify/append-objects";
import { sampleObjects } from "#support/signing/verify/sample-objects";
import { PdfError } from "../../pdf/damaged.ts";
import { openView } from "../../pdf/reader/open-view.ts";
import { judgeChange } from "./change.ts";
import { compareViews } from "./compare-views.ts";

const base = sampleObjects;
const file = makeFile(base);

const textOf = (number: number): string => base[number] ?? "";
const pageWith = (annotation: number): string => textOf(3).replace("12 0 R]", `12 0 R ${annotation} 0 R]`);
const formWith = (field: number): string => textOf(6).replace("10 0 R]", `10 0 R ${field} 0 R]`);

const certifications = [undefined, 1, 2, 3] as const;

/** What the appended objects mean for a signature with each certification; one word where all are alike. */
const judge = (objects: Objects, from = file): string => {
  try {
    const changes = compareViews(openView(from), openView(appendObjects(from, objects)));
    const all = certifications.map((certification) => {
      const judged = changes.map((change) => judgeChange(change, { certification, rules: [] }));
      if (judged.length === 0) return "no change";
      return (["forbidden", "doubtful"] as const).find((one) => judged.includes(one)) ?? "allowed";
    });
    return new Set(all).size === 1 ? `${all[0]}` : all.join(" ");
  } catch (error) {
    if (error instanceof PdfError) return "refused";
    throw error;
  }
};

/** Values of a field, each with the further objects that it needs. */
const values = {
  none: { entry: "", objects: {} },
  null: { entry: "/V null", objects: {} },
  number: { entry: "/V 5", objects: {} },
  string: { entry: "/V(x)", objects: {} },
  array: { entry: "/V[5]", objects: {} },
  missing: { entry: "/V 899 0 R", objects: {} },
  stream: { entry: "/V 800 0 R", objects: { 800: streamOf("x", "/SubFilter/ETSI.RFC3161") } },
  timestamp: {
    entry: "/V 800 0 R",
    objects: { 800: "<</Type/DocTimeStamp/SubFilter/ETSI.RFC3161/Contents<00>/ByteRange[0 1 2 3]>>" },
  },
  "time-stamp by its type alone": {
    entry: "/V 800 0 R",
    objects: { 800: "<</Type/DocTimeStamp/SubFilter/adbe.pkcs7.detached/Contents<00>/ByteRange[0 1 2 3]>>" },
  },
  signature: {
    entry: "/V 800 0 R",
    objects: { 800: "<</Type/Sig/SubFilter/ETSI.CAdES.detached/Contents<00>/ByteRange[0 1 2 3]>>" },
  },
} as const;

const kinds = [
  "none",
  "null",
  "number",
  "string",
  "array",
  "missing",
  "stream",
  "timestamp",
  "signature",
] as const;

const unlessClosed = "allowed forbidden allowed allowed";

describe("an object with a new role", () => {
  const roles = {
    field: { 6: formWith },
    annotation: { 3: pageWith },
    "field and annotation": { 3: pageWith, 6: formWith },
    page: { 2: (number: number) => `<</Type/Pages/Kids[3 0 R ${number} 0 R]/Count 2>>` },
  } as const;

  it.each(Object.keys(roles))("as a %s does not hide that the page shows something else", (role) => {
    const holders = Object.entries(Object.entries(roles).find(([name]) => name === role)?.[1] ?? {});
    for (const kind of kinds) {
      const { entry, objects } = values[kind];
      const entries = `/FT/Sig/T(x)${entry}/Subtype/Widget/Rect[0 0 0 0]`;
      const replaced = { 4: streamOf("(pay 999) Tj", entries), 5: `<</Font<</F 801 0 R>>${entries}>>` };
      for (const [number, object] of Object.entries(replaced)) {
        const held = holders.map(([holder, write]) => [holder, write(Number(number))]);
        const judged = judge({ [number]: object, ...objects, ...Object.fromEntries(held) });
        expect(["forbidden", "refused"], `object ${number}, V ${kind}: ${judged}`).toContain(judged);
      }
    }
  });

  it("as a signature dictionary is compared with what it was", () => {
    const objects = { 5: textOf(8), 6: formWith(20), 20: "<</FT/Sig/T(x)/V 5 0 R>>" };
    expect(judge(objects)).toBe("forbidden");
  });
});

const appearance = { 803: streamOf("(forged) Tj", "/Subtype/Form/BBox[0 0 600 800]") };

describe("a new signature field", () => {
  const added = (kind: keyof typeof values, isVisible: boolean): Objects => ({
    3: pageWith(20),
    6: formWith(20),
    20: `<</FT/Sig/T(x)${values[kind].entry}/Subtype/Widget${isVisible ? "/Rect[0 0 600 800]/AP<</N 803 0 R>>" : "/Rect[0 0 0 0]"}>>`,
    ...values[kind].objects,
    ...(isVisible ? appearance : {}),
  });

  it.each([
    ["none", unlessClosed, "forbidden"],
    ["null", unlessClosed, "forbidden"],
    ["missing", unlessClosed, "forbidden"],
    ["number", "forbidden", "forbidden"],
    ["string", "forbidden", "forbidden"],
    ["array", "forbidden", "forbidden"],
    ["stream", "refused", "refused"],
    ["timestamp", "allowed", "forbidden"],
    ["time-stamp by its type alone", "allowed", "forbidden"],
    ["signature", unlessClosed, unlessClosed],
  ] as const)("with the value %s is %s, and where it is shown %s", (kind, invisible, visible) => {
    expect(judge(added(kind, false))).toBe(invisible);
    expect(judge(added(kind, true))).toBe(visible);
  });

  it("that shows only to a reader of the first of two rectangles is content", () => {
    const objects = added("timestamp", true);
    const twice = (objects[20] ?? "").replace("/AP", "/Rect[0 0 0 0]/AP");
    expect(judge({ ...objects, 20: twice })).toBe("forbidden");
  });

  it("that shows through a widget below it is content without a signature", () => {
    const widget = "<</Parent 20 0 R/Subtype/Widget/Rect[0 0 600 800]/AP<</N 803 0 R>>>>";
    const field = (kind: keyof typeof values): Objects => ({
      3: pageWith(21),
      6: formWith(20),
      20: `<</FT/Sig/T(x)${values[kind].entry}/Kids[21 0 R]>>`,
      21: widget,
      ...values[kind].objects,
      ...appearance,
    });
    expect(judge(field("none"))).toBe("forbidden");
    expect(judge(field("timestamp"))).toBe("forbidden");
    expect(judge(field("signature"))).toBe(unlessClosed);
  });

  it("that stands in the form itself, and not behind a reference, is refused", () => {
    expect(judge({ 6: textOf(6).replace("10 0 R]", "10 0 R<</FT/Sig/T(x)>>]") })).toBe("refused");
  });
});

describe("an empty signature field that was there", () => {
  const filled = (kind: keyof typeof values, entries: string): Objects => ({
    9: textOf(9).replace("/T(", `${entries}${values[kind].entry}/T(`),
    ...values[kind].objects,
    ...appearance,
  });

  it.each([
    ["none", "no change", "forbidden"],
    ["number", "forbidden", "forbidden"],
    ["string", "forbidden", "forbidden"],
    ["stream", "refused", "refused"],
    ["timestamp", "allowed", "forbidden"],
    ["signature", unlessClosed, unlessClosed],
  ] as const)("may get the value %s: %s; with an appearance: %s", (kind, plain, painted) => {
    expect(judge(filled(kind, ""))).toBe(plain);
    expect(judge(filled(kind, "/AP<</N 803 0 R>>"))).toBe(painted);
  });

  it("is not painted, moved or renamed in the name of another signature", () => {
    const other = { 6: formWith(20), 20: "<</FT/Sig/T(x)/V 800 0 R>>", ...values.signature.objects };
    expect(judge({ ...other, ...filled("none", "/MK<</BG[1 0 0]>>") })).toBe("forbidden");
    expect(
      judge({
        ...filled("signature", ""),
        9: "<</FT/Sig/T(Other)/Subtype/Widget/Rect[10 10 300 200]/V 800 0 R>>",
      }),
    ).toBe("forbidden");
  });

  it("keeps its signature", () => {
    expect(judge({ 7: textOf(7).replace("8 0 R", "800 0 R"), ...values.timestamp.objects })).toBe(
      "forbidden",
    );
    expect(judge({ 7: textOf(7).replace("/V 8 0 R", "") })).toBe("forbidden");
  });
});

describe("a field below another", () => {
  it.each([
    ["V", "(999)", unlessClosed],
    ["T", "(other)", "forbidden"],
    ["FT", "/Ch", "forbidden"],
    ["Ff", "4096", "forbidden"],
    ["DA", "(/F 40 Tf)", "forbidden"],
    ["MaxLen", "3", "forbidden"],
    ["AA", "<</K 30 0 R>>", "forbidden"],
  ])("inherits %s, whose change is found", (key, value, expected) => {
    const without = textOf(10).replace(new RegExp(`/${key}(/\\w+|\\(\\w+\\))`), "");
    expect(
      judge({
        10: without.replace(
          "<<",
          `<</${key}${value.startsWith("(") || value.startsWith("/") ? "" : " "}${value}`,
        ),
      }),
    ).toBe(expected);
  });

  it("stays below its parent", () => {
    expect(judge({ 11: textOf(11).replace("10 0 R", "31 0 R"), 31: "<</T(a)/FT/Tx/V(999)>>" })).toBe(
      "forbidden",
    );
  });
});

describe("the tree of pages", () => {
  it("holds no page that is not an object of its own", () => {
    const page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 803 0 R>>";
    expect(judge({ 2: `<</Type/Pages/Kids[3 0 R ${page}]/Count 2>>`, ...appearance })).toBe("refused");
    expect(judge({ 1: textOf(1).replace("2 0 R", `<</Kids[3 0 R]/Count 1>>`) })).toBe("refused");
  });

  it("holds no stream, and no page with pages below it", () => {
    expect(judge({ 3: streamOf("x", textOf(3).slice(2, -2)) })).toBe("refused");
    expect(judge({ 3: textOf(3).replace("<<", "<</Kids[]") })).toBe("refused");
  });

  it("keeps its counts", () => {
    expect(judge({ 2: textOf(2).replace("Count 1", "Count 2") })).toBe("forbidden");
    expect(judge({ 2: textOf(2).replace("Count 1", "Count 1/Private 5") })).toBe("forbidden");
  });
});

describe("annotations", () => {
  const open = "doubtful forbidden forbidden allowed";

  it.each([
    [
      "added",
      { 3: pageWith(20), 20: "<</Subtype/Square/Rect[0 0 600 800]/AP<</N 803 0 R>>>>", ...appearance },
      open,
    ],
    ["changed", { 12: "<</Type/Annot/Subtype/Link/Rect[1 1 600 800]>>" }, open],
    ["removed", { 3: textOf(3).replace(" 12 0 R]", "]") }, open],
    [
      "that are widgets of no field",
      { 3: pageWith(20), 20: "<</Subtype/Widget/Rect[0 0 9 9]>>" },
      "forbidden",
    ],
    ["that are removed widgets", { 3: textOf(3).replace("9 0 R ", "") }, "forbidden"],
    ["that are streams", { 3: pageWith(20), 20: streamOf("x", "/Subtype/Link") }, "refused"],
  ] as const)("%s are judged by the certification", (_, objects, expected) => {
    expect(judge(objects)).toBe(expected);
  });
});

describe("the form", () => {
  it.each([
    ["SigFlags", textOf(6).replace("SigFlags 3", "SigFlags 1"), "allowed"],
    ["NeedAppearances", textOf(6).replace("<<", "<</NeedAppearances true"), unlessClosed],
    ["XFA", textOf(6).replace("<<", "<</XFA(x)"), "forbidden"],
    ["a font of its resources", textOf(6).replace("<<", "<</DR<</Font<</F<</Type/Font>>>>>>"), unlessClosed],
    ["a field that is removed", textOf(6).replace(" 9 0 R", ""), "forbidden"],
  ])("changes by %s as its certification allows", (_, form, expected) => {
    expect(judge({ 6: form })).toBe(expected);
  });

  it("may hold a stream among its resources, which is compared", () => {
    const form = textOf(6).replace("<<", "<</DR<</F 40 0 R>>");
    const former = makeFile({ ...base, 6: form, 40: streamOf("x") });
    expect(judge({ 6: form.replace("SigFlags 3", "SigFlags 1") }, former)).toBe("allowed");
    expect(judge({ 40: streamOf("y") }, former)).toBe(unlessClosed);
  });

  it("keeps the fonts that it had", () => {
    const former = makeFile({ ...base, 6: textOf(6).replace("<<", "<</DR<</Font<</F<</Type/Font>>>>>>") });
    const form = textOf(6).replace("<<", "<</DR<</Font<</F<</Type/Font/Forged true>>>>>>");
    expect(judge({ 6: form }, former)).toBe("forbidden");
  });
});

describe("attached files", () => {
  const specification = (name: string) => `<</Type/Filespec/F(${name})>>`;
  const attached = (files: string) =>
    `/AF[${files}]/Names<</EmbeddedFiles<</Names[${files.replaceAll(/(\d+) 0 R/g, "($1)$1 0 R")}]>>>>`;
  const catalogWith = (files: string) => textOf(1).replace("<<", `<<${attached(files)}`);
  const former = makeFile({ ...base, 1: catalogWith("40 0 R"), 40: specification("a") });
  const signature = { 6: formWith(20), 20: "<</FT/Sig/T(x)/V 800 0 R>>", ...values.signature.objects };
  const open = "allowed forbidden forbidden forbidden";

  it("may be added by a further signature where no certification stands", () => {
    const objects = { 1: catalogWith("40 0 R 41 0 R"), 41: specification("b") };
    expect(judge({ ...objects, ...signature }, former)).toBe(open);
    expect(judge({ ...objects, ...signature })).toBe(open);
    expect(judge(objects, former)).toBe("forbidden");
    expect(
      judge(
        { ...objects, 6: formWith(20), 20: "<</FT/Sig/T(x)/V 800 0 R>>", ...values.timestamp.objects },
        former,
      ),
    ).toBe("forbidden");
  });

  it.each([
    ["changed", { 40: specification("other") }],
    ["removed", { 1: catalogWith("") }],
    ["replaced", { 1: catalogWith("41 0 R"), 41: specification("b") }],
    [
      "named twice",
      { 1: catalogWith("40 0 R").replace("(40)40 0 R", "(40)40 0 R(40)41 0 R"), 41: specification("b") },
    ],
    [
      "joined by a script",
      { 1: catalogWith("40 0 R").replace("/Names<<", "/Names<</JavaScript 41 0 R"), 41: "<</Names[]>>" },
    ],
  ])("are not %s, not even by a further signature", (_, objects) => {
    expect(judge({ ...objects, ...signature }, former)).toBe("forbidden");
  });
});

describe("a signature whose rule names the catalog as its data", () => {
  const rule = "/Reference[<</TransformMethod/FieldMDP/Data 1 0 R>>]";
  const ruled = makeFile({ ...base, 8: textOf(8).replace("<<", `<<${rule}`) });

  it("allows validation data in the catalog, as every other", () => {
    expect(judge({ 1: textOf(1).replace(">>", "/DSS<<>>>>") }, ruled)).toBe("allowed");
  });

  it("forbids what the catalog forbids, and other data", () => {
    expect(judge({ 1: textOf(1).replace(">>", "/Open 4 0 R>>") }, ruled)).toBe("forbidden");
    const other = textOf(8).replace("<<", `<<${rule.replace("1 0 R", "2 0 R")}`);
    expect(judge({ 8: other }, ruled)).toBe("forbidden");
  });
});
