/** Kinds of OBU (AV1 Bitstream and Decoding Process 1.0, 6.2.2). */
const sequenceHeader = 1;
const frameHeader = 3;
const frame = 6;

/** A still picture has a few OBUs: delimiter, sequence header, metadata, frame. */
const obusMax = 64;

type Size = { readonly width: number; readonly height: number };
type Obu = { readonly type: number; readonly from: number; readonly to: number };

/**
 * Size of the one frame of a coded still picture, from its sequence header (AV1 specification, 5.5.1).
 * Undefined for other streams: with another number of frames, with a damaged OBU, or without
 * `reduced_still_picture_header`, which says that the frame has the size of the sequence.
 */
export const readStillSize = (stream: Uint8Array): Size | undefined => {
  const obus = readObus(stream);
  if (obus === undefined) return undefined;
  const heads = obus.filter(({ type }) => type === sequenceHeader);
  const frames = obus.filter(({ type }) => type === frame || type === frameHeader);
  if (heads.length !== 1 || frames.length !== 1) return undefined;
  return readReducedSize(stream.subarray(heads[0]!.from, heads[0]!.to));
};

/** All OBUs of a stream; undefined where one is damaged, has no size, or is one too many. */
const readObus = (stream: Uint8Array): readonly Obu[] | undefined => {
  const obus: Obu[] = [];
  for (let at = 0; at < stream.length; ) {
    const head = stream[at]!;
    const [isForbidden, hasExtension, hasSize] = [(head & 0x80) !== 0, (head & 4) !== 0, (head & 2) !== 0];
    const size = hasSize ? readLeb128(stream, at + (hasExtension ? 2 : 1)) : undefined;
    if (isForbidden || size === undefined || size.end + size.value > stream.length) return undefined;
    obus.push({ type: (head >> 3) & 15, from: size.end, to: size.end + size.value });
    if (obus.length > obusMax) return undefined;
    at = size.end + size.value;
  }
  return obus;
};

/** A number of up to 32 bits, seven a byte (4.10.5), and the place behind it. */
const readLeb128 = (
  bytes: Uint8Array,
  from: number,
): { readonly value: number; readonly end: number } | undefined => {
  let value = 0;
  for (let i = 0; i < 5; i++) {
    const byte = bytes[from + i];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * i);
    if ((byte & 0x80) === 0) return { value, end: from + i + 1 };
  }
  return undefined;
};

const readReducedSize = (header: Uint8Array): Size | undefined => {
  const bits = { at: 0 };
  const read = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i++, bits.at++) {
      value = 2 * value + (((header[bits.at >> 3] ?? 0) >> (7 - (bits.at & 7))) & 1);
    }
    return value;
  };
  read(3);
  const isStill = read(1) === 1;
  const isReduced = read(1) === 1;
  if (!isStill || !isReduced) return undefined;
  read(5);
  const [widthBits, heightBits] = [1 + read(4), 1 + read(4)];
  const [width, height] = [1 + read(widthBits), 1 + read(heightBits)];
  return bits.at <= 8 * header.length ? { width, height } : undefined;
};
