import { DamagedPdf } from "./damaged.ts";
import type { ObjectId, Seal } from "./reader/encryption.ts";
import { type Entries, type PdfValue, repeatedKey } from "./reader/pdf-value.ts";

/** The bytes of a revision in parts, with the offset of the next byte in the file. */
export type Output = {
  readonly position: () => number;
  readonly text: (text: string) => void;
  readonly bytes: (bytes: Uint8Array) => void;
  readonly done: () => Buffer;
};

/** An output whose first byte stands at `base` of the file. */
export const makeOutput = (base: number): Output => {
  const parts: Uint8Array[] = [];
  let length = 0;
  const bytes = (part: Uint8Array): void => {
    parts.push(part);
    length += part.length;
  };
  return {
    position: () => base + length,
    text: (text) => bytes(Buffer.from(text, "latin1")),
    bytes,
    done: () => Buffer.concat(parts, length),
  };
};

/**
 * The object of a signature dictionary whose `ByteRange` and `Contents` are reserved, and where they landed.
 */
export type Reservation = {
  readonly object: number;
  readonly reservedBytes: number;
  byteRangeAt: number;
  contentsAt: number;
};

/** Wide enough for files of 10 GB. */
export const reservedByteRange = "[0000000000 0000000000 0000000000 0000000000]";

type Writer = { readonly output: Output; readonly seal: Seal | undefined; readonly id: ObjectId };

/** Nesting that is written; the reader allows less. */
const depthMax = 500;

const escapedName = (name: string): string =>
  Buffer.from(name, "latin1").reduce(
    (text, byte) =>
      text +
      (byte > 32 && byte < 127 && !"()<>[]{}/%#".includes(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `#${byte.toString(16).padStart(2, "0")}`),
    "/",
  );

/**
 * The shortest decimal that reads as the same number: a rounded one would change what an earlier signature
 * covers.
 */
const numberText = (value: number): string => {
  if (!Number.isFinite(value)) return "0";
  // PDF has no exponents: a number writes them from 1e21 on.
  if (Number.isInteger(value)) return BigInt(value).toString();
  const text = String(value);
  return text.includes("e") ? value.toFixed(20).replace(/\.?0+$/, "") : text;
};

const writeReserved = (output: Output, reservation: Reservation): void => {
  output.text("/ByteRange ");
  reservation.byteRangeAt = output.position();
  output.text(`${reservedByteRange}/Contents `);
  reservation.contentsAt = output.position();
  output.text(`<${"0".repeat(reservation.reservedBytes * 2)}>`);
};

const isFormer = ([key]: readonly [string, PdfValue]): boolean => key.endsWith(repeatedKey);

/** Of two entries with one name, the former stands first again: a reader finds both as before. */
const inOrder = (entries: Entries): readonly (readonly [string, PdfValue])[] => {
  const all = [...entries];
  const former = all
    .filter(isFormer)
    .map(([key, value]) => [key.slice(0, -repeatedKey.length), value] as const);
  return former.length === 0 ? all : [...former, ...all.filter((entry) => !isFormer(entry))];
};

const writeEntries = (writer: Writer, entries: Entries, depth: number): void => {
  const isSignature = entries.has("ByteRange");
  for (const [key, value] of inOrder(entries)) {
    writer.output.text(`${escapedName(key)} `);
    // Contents of a signature are never encrypted (ISO 32000-2, 7.6.2).
    const plain = isSignature && key === "Contents" ? { ...writer, seal: undefined } : writer;
    writeValue(plain, value, depth + 1);
    writer.output.text("\n");
  }
};

const writeStream = (
  { output, seal, id }: Writer,
  entries: Entries,
  raw: Uint8Array,
  depth: number,
): void => {
  const data = seal === undefined ? raw : seal.stream(entries, raw, id);
  output.text(`<<\n/Length ${data.length}\n`);
  const others = new Map([...entries].filter(([key]) => key !== "Length"));
  writeEntries({ output, seal, id }, others, depth);
  output.text(">>\nstream\n");
  output.bytes(data);
  output.text("\nendstream");
};

const writeArray = (writer: Writer, items: readonly PdfValue[], depth: number): void => {
  writer.output.text("[");
  for (const item of items) {
    writeValue(writer, item, depth + 1);
    writer.output.text(" ");
  }
  writer.output.text("]");
};

function writeValue(writer: Writer, value: PdfValue, depth: number): void {
  if (depth > depthMax) throw new DamagedPdf("objects are nested too deep to be written");
  const { output, seal, id } = writer;
  switch (value.kind) {
    case "null":
      return output.text("null");
    case "boolean":
      return output.text(String(value.value));
    case "number":
      return output.text(numberText(value.value));
    case "name":
      return output.text(escapedName(value.value));
    case "reference":
      return output.text(`${value.number} ${value.generation} R`);
    case "string":
      return output.text(`<${Buffer.from(seal?.string(value.bytes, id) ?? value.bytes).toString("hex")}>`);
    case "array":
      return writeArray(writer, value.items, depth);
    case "stream":
      return writeStream(writer, value.entries, value.raw, depth);
    case "dictionary":
      output.text("<<\n");
      writeEntries(writer, value.entries, depth);
      return output.text(">>");
  }
}

/** A value that no encryption covers, such as one of a trailer, in the bytes of the file. */
export const sourceText = (value: PdfValue): string => {
  const output = makeOutput(0);
  writeValue({ output, seal: undefined, id: { number: 0, generation: 0 } }, value, 0);
  return output.done().toString("latin1");
};

/**
 * Writes `n g obj … endobj` and records where the reserved entries land: text of callers is never searched.
 */
export const writeIndirect = (
  output: Output,
  id: ObjectId,
  value: PdfValue,
  options: { readonly seal: Seal | undefined; readonly reservation: Reservation | undefined },
): void => {
  const { seal, reservation } = options;
  output.text(`${id.number} ${id.generation} obj\n`);
  if (value.kind === "dictionary" && reservation?.object === id.number) {
    output.text("<<\n");
    writeEntries({ output, seal, id }, value.entries, 0);
    writeReserved(output, reservation);
    output.text(">>");
  } else writeValue({ output, seal, id }, value, 0);
  output.text("\nendobj\n");
};
