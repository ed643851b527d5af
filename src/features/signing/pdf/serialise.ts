import {
  PdfArray,
  PdfBool,
  PdfDict,
  PdfName,
  PdfNull,
  PdfNumber,
  type PdfObject,
  PdfRef,
  PdfStream,
  PdfString,
} from "@libpdf/core";

/** Encrypts strings and streams of one object; undefined in a file without encryption. */
export type Encryption = {
  readonly string: (bytes: Uint8Array, number: number, generation: number) => Uint8Array;
  readonly stream: (
    bytes: Uint8Array,
    type: string | undefined,
    number: number,
    generation: number,
  ) => Uint8Array;
};

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

/** A signature dictionary whose `ByteRange` and `Contents` are reserved, and where they landed. */
export type Reservation = {
  readonly dictionary: PdfDict;
  readonly reservedBytes: number;
  byteRangeAt: number;
  contentsAt: number;
};

/** Wide enough for files of 10 GB. */
export const reservedByteRange = "[0000000000 0000000000 0000000000 0000000000]";

type Writer = {
  readonly output: Output;
  readonly encryption: Encryption | undefined;
  readonly reservation: Reservation | undefined;
  readonly ref: PdfRef;
};

/** Nesting that is written; the parser allows less. */
const depthMax = 500;

const escapedName = (name: string): string =>
  Buffer.from(name, "utf8").reduce(
    (text, byte) =>
      text +
      (byte > 32 && byte < 127 && !"()<>[]{}/%#".includes(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `#${byte.toString(16).padStart(2, "0")}`),
    "/",
  );

/** The shortest decimal that reads as the same number: a rounded one would change what an earlier signature covers. */
const numberText = (value: number): string => {
  if (!Number.isFinite(value)) return "0";
  if (Number.isInteger(value)) return value.toFixed(0);
  const text = String(value);
  // PDF has no exponents.
  return text.includes("e") ? value.toFixed(20).replace(/\.?0+$/, "") : text;
};

const writeReserved = (writer: Writer, reservation: Reservation): void => {
  writer.output.text("/ByteRange ");
  reservation.byteRangeAt = writer.output.position();
  writer.output.text(`${reservedByteRange}/Contents `);
  reservation.contentsAt = writer.output.position();
  writer.output.text(`<${"0".repeat(reservation.reservedBytes * 2)}>`);
};

const writeEntries = (
  writer: Writer,
  dictionary: PdfDict,
  skipped: string | undefined,
  depth: number,
): void => {
  const isSignature = dictionary.has("ByteRange");
  for (const [key, value] of dictionary) {
    if (key.value === skipped) continue;
    writer.output.text(`${escapedName(key.value)} `);
    // Contents of a signature are never encrypted (ISO 32000-2, 7.6.2).
    const plain = isSignature && key.value === "Contents" ? { ...writer, encryption: undefined } : writer;
    writeObject(plain, value, depth + 1);
    writer.output.text("\n");
  }
};

const writeStream = (writer: Writer, stream: PdfStream, depth: number): void => {
  const { encryption, ref, output } = writer;
  const type = stream.getName("Type")?.value;
  const data =
    encryption === undefined
      ? stream.data
      : encryption.stream(stream.data, type, ref.objectNumber, ref.generation);
  output.text(`<<\n/Length ${data.length}\n`);
  writeEntries(writer, stream, "Length", depth);
  output.text(">>\nstream\n");
  output.bytes(data);
  output.text("\nendstream");
};

const writeDictionary = (writer: Writer, dictionary: PdfDict, depth: number): void => {
  writer.output.text("<<\n");
  writeEntries(writer, dictionary, undefined, depth);
  if (writer.reservation?.dictionary === dictionary) writeReserved(writer, writer.reservation);
  writer.output.text(">>");
};

const writeString = (writer: Writer, bytes: Uint8Array): void => {
  const { encryption, ref } = writer;
  const written =
    encryption === undefined ? bytes : encryption.string(bytes, ref.objectNumber, ref.generation);
  writer.output.text(`<${Buffer.from(written).toString("hex")}>`);
};

function writeObject(writer: Writer, object: PdfObject, depth: number): void {
  if (depth > depthMax) throw new Error("objects are nested too deep to be written");
  const { output } = writer;
  if (object instanceof PdfStream) writeStream(writer, object, depth);
  else if (object instanceof PdfDict) writeDictionary(writer, object, depth);
  else if (object instanceof PdfArray) {
    output.text("[");
    for (const item of object) {
      writeObject(writer, item, depth + 1);
      output.text(" ");
    }
    output.text("]");
  } else if (object instanceof PdfName) output.text(escapedName(object.value));
  else if (object instanceof PdfNumber) output.text(numberText(object.value));
  else if (object instanceof PdfString) writeString(writer, object.bytes);
  else if (object instanceof PdfRef) output.text(`${object.objectNumber} ${object.generation} R`);
  else if (object instanceof PdfBool) output.text(String(object.value));
  else if (object instanceof PdfNull) output.text("null");
  else throw new Error("an object of unknown kind cannot be written");
}

/** Writes `n g obj … endobj` and records where the reserved entries land: text of callers is never searched. */
export const writeIndirect = (
  output: Output,
  ref: PdfRef,
  object: PdfObject,
  options: { readonly encryption: Encryption | undefined; readonly reservation: Reservation | undefined },
): void => {
  output.text(`${ref.objectNumber} ${ref.generation} obj\n`);
  writeObject({ output, ref, ...options }, object, 0);
  output.text("\nendobj\n");
};
