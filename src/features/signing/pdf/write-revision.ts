import { randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { PdfModel } from "./model.ts";
import { makeOutput, type Output, type Reservation, sourceText, writeIndirect } from "./serialise.ts";
import { indexPairs } from "./whole-section.ts";

/** Where the next revision begins and what it follows. */
export type FileEnd = {
  /** Bytes. */
  readonly size: number;
  readonly startxref: number;
  readonly lastByte: number | undefined;
  /** `Size` of the newest trailer: above every object number. */
  readonly objects: number;
};

type Offset = { readonly number: number; readonly generation: number; readonly offset: number };

/** The first half of ID stays, the second changes with each revision (ISO 32000-2, 14.4). */
const fileId = (model: PdfModel): string => {
  const first = model.resolve(model.itemsOf(model.view.trailer.get("ID"))[0]);
  const kept = first.kind === "string" ? Buffer.from(first.bytes) : randomBytes(16);
  return `[<${kept.toString("hex")}><${randomBytes(16).toString("hex")}>]`;
};

/** `Encrypt` and the others are kept; `XRefStm` of a hybrid is not. */
const trailerEntries = (model: PdfModel, prev: number, size: number): string =>
  ["Root", "Info", "Encrypt"]
    .flatMap((key) => {
      const value = model.view.trailer.get(key);
      return value === undefined ? [] : [`/${key} ${sourceText(value)}`];
    })
    .concat(`/Size ${size}/Prev ${prev}/ID${fileId(model)}`)
    .join("");

const writeTable = (output: Output, offsets: readonly Offset[], trailer: string): void => {
  output.text("xref\n");
  const pairs = indexPairs(offsets.map(({ number }) => number));
  let at = 0;
  for (let pair = 0; pair < pairs.length; pair += 2) {
    const count = pairs[pair + 1]!;
    output.text(`${pairs[pair]!} ${count}\n`);
    for (const { offset, generation } of offsets.slice(at, at + count))
      output.text(`${String(offset).padStart(10, "0")} ${String(generation).padStart(5, "0")} n \n`);
    at += count;
  }
  output.text(`trailer\n<<${trailer}>>\n`);
};

const writeStream = (output: Output, number: number, offsets: readonly Offset[], trailer: string): void => {
  const list = [...offsets, { number, generation: 0, offset: output.position() }].sort(
    (a, b) => a.number - b.number,
  );
  const rows = Buffer.alloc(list.length * 9);
  list.forEach(({ offset, generation }, row) => {
    rows[row * 9] = 1;
    rows.writeUIntBE(offset, row * 9 + 1, 6);
    rows.writeUInt16BE(generation, row * 9 + 7);
  });
  const data = deflateSync(rows);
  const index = indexPairs(list.map((entry) => entry.number)).join(" ");
  output.text(
    `${number} 0 obj\n<</Type/XRef/W[1 6 2]/Index[${index}]/Filter/FlateDecode/Length ${data.length}${trailer}>>\nstream\n`,
  );
  output.bytes(data);
  output.text("\nendstream\nendobj\n");
};

/**
 * Serialises changed and new objects as one incremental section in the flavour of the newest one (ISO
 * 32000-2, 7.5.6).
 */
export const writeRevision = (
  model: PdfModel,
  end: FileEnd,
  reservation?: Reservation,
): { readonly bytes: Buffer; readonly startxref: number; readonly objects: number } => {
  const output = makeOutput(end.size);
  if (end.lastByte !== 10 && end.lastByte !== 13) output.text("\n");
  const { seal } = model.view;
  const { isStream } = model.sections;
  const offsets = model.takeChanges().map(([{ number, generation }, value]): Offset => {
    const offset = output.position();
    writeIndirect(output, { number, generation }, value, { seal, reservation });
    return { number, generation, offset };
  });
  const number = isStream ? model.takeNumber() : 0;
  const objects = Math.max(end.objects, number + 1, (offsets.at(-1)?.number ?? 0) + 1);
  const trailer = trailerEntries(model, end.startxref, objects);
  const startxref = output.position();
  if (isStream) writeStream(output, number, offsets, trailer);
  else writeTable(output, offsets, trailer);
  output.text(`startxref\n${startxref}\n%%EOF\n`);
  return { bytes: output.done(), startxref, objects };
};
