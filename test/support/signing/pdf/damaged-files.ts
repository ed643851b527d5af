import { buffer } from "node:stream/consumers";
import { deflateSync } from "node:zlib";
import PdfKit from "pdfkit";
import { seededRandom } from "#contract/statistics/random";
import { appendObjects, streamOf } from "../verify/append-objects.ts";
import { damageKinds, damagePdf, plainDamages } from "./damage-pdf.ts";
import { makePdf } from "./make-pdf.ts";
import { shownPages } from "./shown-pages.ts";

/** A whole file, and whether the data of its pages prove themselves whole. */
type Whole = {
  readonly name: string;
  readonly bytes: Buffer;
  readonly isDeflated: boolean;
  /** What the pages of its states show, the last one and those before it. */
  readonly shown: readonly (readonly string[])[];
};

/** A damaged file, and what its pages showed before. */
export type DamagedFile = Pick<Whole, "shown"> & {
  /** Names the file, its number and the damage. */
  readonly name: string;
  readonly bytes: Buffer;
};

const linesOfPage = 20;

const drawLines = (page: number): string =>
  Array.from({ length: linesOfPage }, (_, line) => {
    const sum = (page * 7919 + line * 104_729) % 9973;
    return `BT /F0 11 Tf 50 ${700 - 20 * line} Td (Page ${page}, line ${line}: pays ${sum}) Tj ET`;
  }).join("\n");

/** Another writer, which compresses, and states the length of a stream in an object of its own. */
const writeWithPdfKit = async (): Promise<Buffer> => {
  const document = new PdfKit();
  document.text(drawLines(1));
  document.addPage().text(drawLines(2));
  document.end();
  return await buffer(document);
};

const deflated = (data: Buffer, entries: string): string =>
  streamOf(deflateSync(data).toString("latin1"), `/Filter/FlateDecode${entries}`);

/** A scanned page: an image is all that it shows, but for a stamp over it. */
const drawScan = (random: () => number) => {
  const pixels = Buffer.from(Array.from({ length: 80 * 60 }, () => 200 + Math.floor(8 * random())));
  const image = "/Type/XObject/Subtype/Image/Width 80/Height 60/ColorSpace/DeviceGray/BitsPerComponent 8";
  return {
    content: () => "500 0 0 700 40 40 cm /I Do",
    resources: "/XObject<</I 100 0 R>>",
    page: "/Annots[101 0 R]",
    objects: [
      deflated(pixels, image),
      "<</Type/Annot/Subtype/Stamp/Rect[9 9 99 99]/AP<</N 102 0 R>>>>",
      deflated(Buffer.from("0 0 90 90 re f"), "/Type/XObject/Subtype/Form/BBox[0 0 90 90]"),
    ],
  };
};

const makeWhole = async (): Promise<readonly Whole[]> => {
  const whole = (
    name: string,
    bytes: Buffer,
    isDeflated: boolean,
    before: readonly Buffer[] = [],
  ): Whole => ({
    name,
    bytes,
    isDeflated,
    shown: [bytes, ...before].map(shownPages),
  });
  const drawn = { pages: 3, content: drawLines } as const;
  const table = makePdf({ ...drawn, xref: "table", isDeflated: true });
  const changed = appendObjects(table, { 11: streamOf("BT /F0 11 Tf 50 700 Td (Changed) Tj ET") });
  return [
    ...(["table", "stream", "object-streams", "hybrid"] as const).flatMap((xref) => [
      whole(xref, makePdf({ ...drawn, xref, isDeflated: true }), true),
      whole(`plain ${xref}`, makePdf({ ...drawn, xref }), false),
    ]),
    ...(["table", "object-streams"] as const).map((xref) =>
      whole(`scan ${xref}`, makePdf({ ...drawScan(seededRandom(5)), xref, isDeflated: true }), true),
    ),
    whole("pdfkit", await writeWithPdfKit(), true),
    whole("update", changed, true, [table]),
  ];
};

/** Damages whole files, each in every way in turn. The same files for the same seed. */
export const makeDamagedFiles = async (count: number, seed: number): Promise<readonly DamagedFile[]> => {
  const random = seededRandom(seed);
  const files = await makeWhole();
  return Array.from({ length: count }, (_, number) => {
    const { name, bytes, isDeflated, shown } = files[number % files.length]!;
    const kinds = isDeflated ? damageKinds : plainDamages;
    const kind = kinds[Math.floor(number / files.length) % kinds.length]!;
    return { name: `${number}: ${name}, ${kind}`, bytes: damagePdf(bytes, kind, random), shown };
  });
};
