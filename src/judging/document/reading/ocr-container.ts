import { type Static, Type } from "typebox";
import { Failure } from "#contract/failure";
import { makeCheck } from "#contract/make-check";

/**
 * Content of an OCR token: the images that a capture widget took, never the widget's own reading. Layout:
 * `IOCR`, a version byte (1), the header's length (4 bytes, big endian), the header (JSON, UTF-8), then the
 * images in the header's order. See docs/formats/ocr-token.md.
 */
export type Capture = {
  /** ISO 3166-1 alpha-3, or PSP for a passport; absent when the widget did not ask for it. */
  readonly countryCode?: string;
  readonly front: Uint8Array;
  readonly back?: Uint8Array;
};

const magic = "IOCR";
const version = 1;
const prefixLength = 9;
const headerBytesMax = 4096;

const header = Type.Object({
  countryCode: Type.Optional(Type.String({ pattern: "^[A-Z]{3}$" })),
  pictures: Type.Array(
    Type.Object({
      side: Type.Enum(["front", "back"]),
      bytes: Type.Integer({ minimum: 1 }),
    }),
    { minItems: 1, maxItems: 2 },
  ),
});

const check = makeCheck(header);

export const writeCapture = ({ countryCode, front, back }: Capture): Uint8Array => {
  const images = [
    { side: "front", bytes: front.length },
    ...(back === undefined ? [] : [{ side: "back", bytes: back.length }]),
  ];
  const json = Buffer.from(
    JSON.stringify({ ...(countryCode === undefined ? {} : { countryCode }), pictures: images }),
  );
  const prefix = Buffer.alloc(prefixLength);
  prefix.write(magic, "latin1");
  prefix.writeUInt8(version, 4);
  prefix.writeUInt32BE(json.length, 5);
  return Buffer.concat([prefix, json, front, ...(back === undefined ? [] : [back])]);
};

/** Fails with token_unreadable when the bytes are no such container, or when their lengths do not add up. */
export const readCapture = (payload: Uint8Array): Capture => {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  const { countryCode, pictures: images, start } = readHeader(bytes);
  const total = images.reduce((sum, image) => sum + image.bytes, start);
  const sides = images.map(({ side }) => side);
  if (total !== bytes.length || sides[0] !== "front" || sides[1] === "front") {
    throw unreadable();
  }
  const [front, back] = cut(bytes, images, start);
  if (front === undefined) {
    throw unreadable();
  }
  return {
    ...(countryCode === undefined ? {} : { countryCode }),
    front,
    ...(back === undefined ? {} : { back }),
  };
};

type Header = Static<typeof header> & { readonly start: number };

const readHeader = (bytes: Buffer): Header => {
  const isContainer =
    bytes.length > prefixLength && bytes.toString("latin1", 0, 4) === magic && bytes.readUInt8(4) === version;
  if (!isContainer) {
    throw unreadable();
  }
  const start = prefixLength + bytes.readUInt32BE(5);
  if (start > Math.min(bytes.length, prefixLength + headerBytesMax)) {
    throw unreadable();
  }
  const parsed = parseJson(bytes.toString("utf8", prefixLength, start));
  if (!check.Check(parsed)) {
    throw unreadable();
  }
  return { ...parsed, start };
};

/** Each image owns its buffer, so it can be transferred to another thread. */
const cut = (bytes: Buffer, images: Header["pictures"], start: number): readonly Uint8Array[] => {
  let from = start;
  return images.map((image) => {
    const picked = Uint8Array.from(bytes.subarray(from, from + image.bytes));
    from += image.bytes;
    return picked;
  });
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const unreadable = (): Failure => new Failure("token_unreadable", { errors: ["tokenOcr: holds no capture"] });
