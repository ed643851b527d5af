import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { appendObjects, makeFile, type Objects, streamOf } from "#support/signing/verify/append-objects";
import { openPdf } from "./open-pdf.ts";

const factsOf = async (bytes: Uint8Array): Promise<unknown> =>
  await openPdf(bytes, { requiresContents: true }).then(
    () => "opened",
    (error: unknown) => (error instanceof Failure ? error.facts : String(error)),
  );

const base = {
  1: "<</Type/Catalog/Pages 2 0 R>>",
  2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 595 842]>>",
  3: "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources 5 0 R>>",
  4: streamOf("/I Do"),
  5: "<</XObject<</I 6 0 R>>>>",
} as const;

const openFile = (objects: Objects): Promise<unknown> => factsOf(makeFile({ ...base, ...objects }));

const inflated = Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * at * 31) % 251));
const whole = deflateSync(inflated);
const cut = whole.subarray(0, whole.length - 600);

const flate = (data: Buffer, entries: string): string =>
  streamOf(data.toString("latin1"), `/Filter/FlateDecode${entries}`);

/** As reportlab writes streams (ISO 32000-2, 7.4.3). */
const ascii85 = (data: Buffer): string => {
  const groups = Array.from({ length: Math.ceil(data.length / 4) }, (_, at) => {
    const group = data.subarray(4 * at, 4 * at + 4);
    let value = Buffer.concat([group, Buffer.alloc(4 - group.length)]).readUInt32BE();
    if (value === 0 && group.length === 4) return "z";
    let text = "";
    for (let digit = 0; digit < 5; digit++) {
      text = String.fromCharCode(33 + (value % 85)) + text;
      value = Math.floor(value / 85);
    }
    return text.slice(0, group.length + 1);
  });
  return `${groups.join("").replaceAll(/.{75}/g, "$&\n")}~>`;
};

const image = "/Type/XObject/Subtype/Image/Width 40/Height 100/ColorSpace/DeviceGray/BitsPerComponent 8";

describe("what the content of a page names", () => {
  const named: Readonly<Record<string, (data: Buffer) => Objects>> = {
    "an image": (data) => ({ 6: flate(data, image) }),
    "the mask of an image": (data) => ({
      6: flate(whole, `${image}/SMask 7 0 R`),
      7: flate(data, image),
    }),
    "an image whose filters are a list": (data) => ({
      6: streamOf(data.toString("latin1"), `${image}/Filter[8 0 R/DCTDecode]`),
      8: "/FlateDecode",
    }),
    "an image in ASCII85": (data) => ({
      6: streamOf(ascii85(data), `${image}/Filter[/ASCII85Decode/FlateDecode]`),
    }),
    "an image in hexadecimal digits": (data) => ({
      6: streamOf(`${data.toString("hex")}>`, `${image}/Filter[/AHx/Fl]`),
    }),
    "a tiling pattern": (data) => ({
      5: "<</Pattern<</P 6 0 R>>>>",
      6: flate(data, "/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<>>"),
    }),
    "a glyph of a Type 3 font": (data) => ({
      5: "<</Font<</F 7 0 R>>>>",
      6: flate(data, ""),
      7: "<</Type/Font/Subtype/Type3/CharProcs<</a 6 0 R>>/Encoding<</Differences[97/a]>>>>",
    }),
  };

  it.each(Object.entries(named))("opens whole, and is refused when it is cut: %s", async (_, make) => {
    expect(await openFile(make(whole))).toBe("opened");
    expect(await openFile(make(cut))).toMatchObject({ reason: "page_content_damaged", page: 1 });
  });

  it("opens with a filter that proves nothing, and is refused where it does not end", async () => {
    const photo = streamOf("no photo", `${image}/Filter/DCTDecode`);
    expect(await openFile({ 6: photo })).toBe("opened");
    expect(await openFile({ 6: photo.replace("/Length 8", "/Length 7") })).toMatchObject({
      repair: "stream_length",
    });
  });

  it("is refused where a lost block took its data", async () => {
    const lost = flate(whole, image).replace(/\nstream[^]*$/, "");
    expect(await openFile({ 6: lost })).toEqual({ reason: "page_content_damaged", page: 1, object: 6 });
  });

  it("is looked at once more where a later page has it as its content", async () => {
    const pages = {
      2: "<</Type/Pages/Count 2/Kids[3 0 R 9 0 R]/MediaBox[0 0 595 842]>>",
      9: "<</Type/Page/Parent 2 0 R/Contents 6 0 R>>",
    };
    expect(await openFile({ ...pages, 6: flate(whole, "") })).toBe("opened");
    expect(await openFile({ ...pages, 6: flate(whole, "/Type/ObjStm/N 1/First 4") })).toMatchObject({
      reason: "page_content_damaged",
      page: 2,
      object: 6,
    });
  });

  it("takes no budget from the content of a later page", async () => {
    const large = deflateSync(Buffer.alloc(60_000_000));
    const images = Object.fromEntries([10, 11, 12, 13].map((number) => [number, flate(large, image)]));
    const objects = {
      ...images,
      2: "<</Type/Pages/Count 2/Kids[3 0 R 9 0 R]/MediaBox[0 0 595 842]>>",
      5: "<</XObject<</I 10 0 R/J 11 0 R/K 12 0 R/L 13 0 R>>>>",
      9: "<</Type/Page/Parent 2 0 R/Contents 8 0 R>>",
    };
    expect(await openFile({ ...objects, 8: flate(whole, "") })).toBe("opened");
    expect(await openFile({ ...objects, 8: flate(cut, "") })).toMatchObject({ page: 2, object: 8 });
  });
});

describe("the annotations of a page", () => {
  const pageWith = (annotations: string): Objects => ({
    3: base[3].replace("/Contents", `/Annots ${annotations}/Contents`),
    6: flate(whole, image),
    7: "<</Type/Annot/Subtype/Stamp/Rect[0 0 9 9]/AP<</N 8 0 R>>>>",
    8: flate(whole, "/Subtype/Form/BBox[0 0 9 9]"),
  });
  const missing = { reason: "page_content_missing", page: 1, object: 99 };

  it.each([
    ["annotations", "[7 0 R]"],
    ["an array of its own", "10 0 R", { 10: "[7 0 R]" }],
    ["no annotations", "[]"],
    ["a link, which has no look", "[10 0 R]", { 10: "<</Subtype/Link/Rect[0 0 9 9]>>" }],
    ["null in place of a deleted annotation", "[null 7 0 R]"],
    ["an object of null in its place", "[10 0 R 7 0 R]", { 10: "null" }],
  ] as const)("opens with %s", async (_, annotations, objects: Objects = {}) => {
    expect(await openFile({ ...pageWith(annotations), ...objects })).toBe("opened");
  });

  it("opens with the reference of an annotation that an editor freed", async () => {
    const bytes = makeFile({ ...base, ...pageWith("[7 0 R]") });
    const freed = appendObjects(bytes, { 7: "null" }).toString("latin1");
    const row = freed.lastIndexOf(" n \n");
    const offset = freed.slice(row - 16, row);
    const text = `${freed.slice(0, row - 16)}${"0".repeat(10)} 00001 f \n${freed.slice(row + 4)}`;
    expect(offset).toMatch(/^\d{10} \d{5}$/);
    expect(await factsOf(Buffer.from(text, "latin1"))).toBe("opened");
  });

  it.each([
    ["their array", "99 0 R"],
    ["one of them", "[7 0 R 99 0 R]"],
    ["the look of one", "[10 0 R]"],
  ])("are refused without %s", async (_, annotations) => {
    const look = { 10: "<</Subtype/Stamp/Rect[0 0 9 9]/AP<</N 99 0 R>>>>" };
    expect(await openFile({ ...pageWith(annotations), ...look })).toEqual(missing);
  });

  it("are refused where another value took the place of one, or a look is cut", async () => {
    expect(await openFile({ ...pageWith("[7 0 R 10 0 R]"), 10: "(a text)" })).toEqual({
      ...missing,
      object: 10,
    });
    const look = flate(cut, "/Subtype/Form/BBox[0 0 9 9]");
    expect(await openFile({ ...pageWith("[7 0 R]"), 8: look })).toMatchObject({
      reason: "page_content_damaged",
      object: 8,
    });
  });
});

describe("a page that its tree names and the file does not have", () => {
  it.each(["", "/Count -1", "/Count 1"])("is refused where the tree states '%s'", async (count) => {
    const tree = (kids: string): Objects => ({
      2: `<</Type/Pages${count}/Kids[${kids}]/MediaBox[0 0 595 842]>>`,
      6: flate(whole, image),
    });
    expect(await openFile(tree("3 0 R"))).toBe("opened");
    expect(await openFile(tree("3 0 R 99 0 R"))).toEqual({ reason: "pages_lost", pages: 1, object: 99 });
  });
});
