/** One chunk of a WebP, padded to an even length (RFC 9649, 2.3). */
const chunk = (type: string, data: Uint8Array): Buffer => {
  const head = Buffer.alloc(8);
  head.write(type, 0, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)]);
};

const riff = (...chunks: readonly Buffer[]): Buffer => {
  const body = Buffer.concat([Buffer.from("WEBP"), ...chunks]);
  const head = Buffer.alloc(8);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
};

/** A lossy WebP whose frame states sides of up to 14 bits, without its pixels. */
export const lossyWebp = (width: number, height: number): Buffer => {
  const frame = Buffer.alloc(40);
  frame.set([0x10, 0x02, 0x00, 0x9d, 0x01, 0x2a]);
  frame.writeUInt16LE(width, 6);
  frame.writeUInt16LE(height, 8);
  return riff(chunk("VP8 ", frame));
};

/** A lossless WebP whose head states sides of up to 2^14, without its pixels. */
export const losslessWebp = (width: number, height: number): Buffer => {
  const data = Buffer.alloc(40);
  data[0] = 0x2f;
  data.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1);
  return riff(chunk("VP8L", data));
};

/** An extended WebP that states a canvas of up to 2^24 a side around the given chunks of another. */
export const extendedWebp = (
  width: number,
  height: number,
  { flags = 0, inner = lossyWebp(64, 64) }: { readonly flags?: number; readonly inner?: Uint8Array } = {},
): Buffer => {
  const data = Buffer.alloc(10);
  data[0] = flags;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return riff(chunk("VP8X", data), Buffer.from(inner.subarray(12)));
};

/** A box of an ISO base media file, with version and flags where a version is given. */
const box = (type: string, content: Uint8Array, version?: number): Buffer => {
  const head = Buffer.alloc(version === undefined ? 8 : 12);
  head.writeUInt32BE(head.length + content.length, 0);
  head.write(type, 4, "latin1");
  if (version !== undefined) head[8] = version;
  return Buffer.concat([head, content]);
};

const uint16 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value, 2 * at);
  return bytes;
};

const uint32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
};

const obu = (type: number, data: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([(type << 3) | 2, data.length]), data]);

/** A sequence header that states a still picture of these sides (AV1 specification, 5.5.1). */
const sequenceHeader = (width: number, height: number, isReduced: boolean): Buffer => {
  const fields = [
    [0, 3],
    [1, 1],
    [isReduced ? 1 : 0, 1],
    [8, 5],
    [15, 4],
    [15, 4],
    [width - 1, 16],
    [height - 1, 16],
  ] as const;
  const bits = fields.map(([value, count]) => value.toString(2).padStart(count, "0")).join("");
  const padded = bits.padEnd(8 * Math.ceil(bits.length / 8 + 2), "0");
  return Buffer.from((padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

export type AvifShape = {
  readonly width: number;
  readonly height: number;
  /** Frames of the coded image. */
  readonly frames?: number;
  /** Types of the items; each has the same bytes. */
  readonly types?: readonly string[];
  readonly isReduced?: boolean;
  /** Boxes beside the usual ones. */
  readonly boxes?: readonly Buffer[];
  readonly brand?: string;
};

/** A movie box without content: the mark of a sequence. */
export const movie: Buffer = box("moov", Buffer.alloc(8));

/** An AVIF that states these facts, without its pixels. */
export const avifOf = (shape: AvifShape): Buffer => {
  const { width, height, frames = 1, types = ["av01"], isReduced = true, boxes = [], brand = "avif" } = shape;
  const image = Buffer.concat([
    obu(1, sequenceHeader(width, height, isReduced)),
    ...Array.from({ length: frames }, () => obu(6, Buffer.alloc(8))),
  ]);
  const entries = types.map((type, n) =>
    box("infe", Buffer.concat([uint16(n + 1, 0), Buffer.from(`${type}\0`)]), 2),
  );
  const metaAt = (offset: number): Buffer => {
    const places = types.map((_, n) =>
      Buffer.concat([uint16(n + 1, 0, 1), uint32(offset), uint32(image.length)]),
    );
    const iloc = Buffer.concat([Buffer.from([0x44, 0x00]), uint16(types.length), ...places]);
    const iinf = Buffer.concat([uint16(types.length), ...entries]);
    return box(
      "meta",
      Buffer.concat([box("pitm", uint16(1), 0), box("iinf", iinf, 0), box("iloc", iloc, 0)]),
      0,
    );
  };
  const head = Buffer.concat([box("ftyp", Buffer.from(`${brand}\0\0\0\0${brand}mif1`, "latin1")), ...boxes]);
  const offset = head.length + metaAt(0).length + 8;
  return Buffer.concat([head, metaAt(offset), box("mdat", image)]);
};
