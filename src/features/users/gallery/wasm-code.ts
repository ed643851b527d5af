/**
 * Bytes of a WebAssembly module (WebAssembly Core Specification 2.0, 5), limited to what a scan needs:
 * integers and SIMD.
 */
export type Bytes = readonly number[];

/** Unsigned LEB128 (5.2.2). */
const unsigned = (value: number): Bytes =>
  value < 128 ? [value] : [(value % 128) + 128, ...unsigned(Math.floor(value / 128))];

/** Value types (5.3.1, 5.3.2). */
export const valueType = { i32: 0x7f, v128: 0x7b } as const;

const blockEmpty = 0x40;
const simd = (code: number): Bytes => [0xfd, ...unsigned(code)];
const naturally = (alignmentLog2: number, offset: number): Bytes => [alignmentLog2, ...unsigned(offset)];

/** Instructions (5.4), each with its operands. */
export const code = {
  localGet: (index: number): Bytes => [0x20, ...unsigned(index)],
  localSet: (index: number): Bytes => [0x21, ...unsigned(index)],
  /** A body that repeats while the top of the stack is not 0 at its end. */
  loopWhile: (body: Bytes): Bytes => [0x03, blockEmpty, ...body, 0x0d, 0, 0x0b],
  /** A signed LEB128 of one byte: 0 to 63. */
  i32Const: (value: number): Bytes => [0x41, value],
  i32Load: (): Bytes => [0x28, ...naturally(2, 0)],
  i32Store: (): Bytes => [0x36, ...naturally(2, 0)],
  i32LessUnsigned: [0x49],
  i32Add: [0x6a],
  v128Load: (offset: number): Bytes => [...simd(0x00), ...naturally(4, offset)],
  v128Zero: [...simd(0x0c), ...Buffer.alloc(16)],
  i32x4ExtractLane: (lane: number): Bytes => [...simd(0x1b), lane],
  /** Eight signed bytes of the lower or upper half, widened to 16 bits. */
  i16x8ExtendLow: simd(0x87),
  i16x8ExtendHigh: simd(0x88),
  /** Products of 16-bit lanes, added in pairs to 32 bits. */
  i32x4Dot: simd(0xba),
  i32x4Add: simd(0xae),
} as const;

/** A function that takes `parameters` values of i32 and returns nothing. */
export type WasmFunction = {
  readonly name: string;
  readonly parameters: number;
  /** Types of the locals that follow the parameters. */
  readonly locals: readonly number[];
  readonly body: Bytes;
};

const sized = (content: Bytes): Bytes => [...unsigned(content.length), ...content];
const vector = (items: readonly Bytes[]): Bytes => [...unsigned(items.length), ...items.flat()];
const text = (word: string): Bytes => sized([...Buffer.from(word, "utf8")]);
const section = (id: number, content: Bytes): Bytes => [id, ...sized(content)];

/** A module with one exported function over a memory, imported as `memory` of `host`. */
export const moduleOf = ({ name, parameters, locals, body }: WasmFunction): Uint8Array<ArrayBuffer> => {
  const signature = [
    0x60,
    ...vector(Array.from({ length: parameters }, () => [valueType.i32])),
    ...vector([]),
  ];
  const memory = [...text("host"), ...text("memory"), 0x02, 0x00, ...unsigned(1)];
  const declared = vector(locals.map((type) => [...unsigned(1), type]));
  return Uint8Array.from([
    ...Buffer.from("\0asm\x01\0\0\0", "latin1"),
    ...section(1, vector([signature])),
    ...section(2, vector([memory])),
    ...section(3, vector([unsigned(0)])),
    ...section(7, vector([[...text(name), 0x00, ...unsigned(0)]])),
    ...section(10, vector([sized([...declared, ...body, 0x0b])])),
  ]);
};
