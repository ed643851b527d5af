import { correctionOf } from "./reed-solomon.ts";

/** Correction bytes of a block at level M, by version from 1 (ISO/IEC 18004, table 9). */
const correctionBytes = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];

/** Blocks at level M, by version from 1 (the same table). */
const blockCounts = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];

/** Largest version that is drawn: 97 modules hold 666 bytes, far more than a link. */
export const versionMax = 20;

/** Modules on a side. */
export const sizeOf = (version: number): number => version * 4 + 17;

/** Distances of alignment patterns from the edge; none in version 1 (annex E). */
export const alignmentOf = (version: number): readonly number[] => {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  const others = Array.from({ length: count - 1 }, (_, at) => sizeOf(version) - 7 - at * step);
  return [6, ...others.toReversed()];
};

/** Bytes of data and correction in a version: its modules without those of functions. */
const bytesOf = (version: number): number => {
  const count = alignmentOf(version).length;
  const alignment = count === 0 ? 0 : (25 * count - 10) * count - 55;
  const versionBits = version >= 7 ? 36 : 0;
  return Math.floor(((16 * version + 128) * version + 64 - alignment - versionBits) / 8);
};

const dataBytesOf = (version: number): number =>
  bytesOf(version) - correctionBytes[version - 1]! * blockCounts[version - 1]!;

/** Bits of mode and length before the data: four, and a length of eight or sixteen. */
const headBits = (version: number): number => 4 + (version < 10 ? 8 : 16);

/** The smallest version that holds so many bytes; undefined where none does. */
export const versionFor = (bytes: number): number | undefined => {
  for (let version = 1; version <= versionMax; version += 1) {
    if (headBits(version) + bytes * 8 <= dataBytesOf(version) * 8) return version;
  }
  return undefined;
};

const bitsOf = (value: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => (value >>> (count - 1 - at)) & 1);

/** Mode, length, data, end and filling, as bytes (7.4). */
const dataOf = (bytes: Uint8Array, version: number): readonly number[] => {
  const capacity = dataBytesOf(version);
  const bits = [...bitsOf(0b0100, 4), ...bitsOf(bytes.length, headBits(version) - 4)];
  for (const byte of bytes) bits.push(...bitsOf(byte, 8));
  for (let end = 0; end < 4 && bits.length < capacity * 8; end += 1) bits.push(0);
  while (bits.length % 8 !== 0) bits.push(0);
  const data = Array.from({ length: bits.length / 8 }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((value, bit) => value * 2 + bit, 0),
  );
  for (let filling = 0xec; data.length < capacity; filling ^= 0xec ^ 0x11) data.push(filling);
  return data;
};

/** The bytes of the symbol in their order: the blocks with their correction, interleaved (7.6). */
export const codewordsOf = (bytes: Uint8Array, version: number): readonly number[] => {
  const data = dataOf(bytes, version);
  const count = blockCounts[version - 1]!;
  const shortLength = Math.floor(data.length / count);
  const shortCount = count - (data.length % count);
  const blocks: (readonly number[])[] = [];
  for (let from = 0, at = 0; at < count; at += 1) {
    const length = shortLength + (at < shortCount ? 0 : 1);
    blocks.push(data.slice(from, from + length));
    from += length;
  }
  const corrections = blocks.map((block) => correctionOf(block, correctionBytes[version - 1]!));
  return [...interleave(blocks), ...interleave(corrections)];
};

const interleave = (blocks: readonly (readonly number[])[]): readonly number[] => {
  const longest = Math.max(...blocks.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) =>
    blocks.flatMap((block) => block.slice(at, at + 1)),
  ).flat();
};
