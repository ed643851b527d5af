import { code, moduleOf, valueType } from "./wasm-code.ts";

/**
 * Dot products of many rows of signed bytes with one query of 16-bit integers, in one WebAssembly memory. Row
 * `i` begins at `base` plus the i-th of `count` 32-bit `offsets`; `length`, a multiple of 16, counts its
 * bytes. The i-th 32-bit sum is written to `sums`. The result is exact if no sum exceeds 32 bits; the caller
 * must ensure that. Made by {@link makeDotRows}.
 */
export type DotRows = (
  base: number,
  offsets: number,
  count: number,
  length: number,
  query: number,
  sums: number,
) => void;

// Parameters, then locals, by index.
const [base, offsets, count, length, query, sums] = [0, 1, 2, 3, 4, 5];
const [end, row, rowEnd, part, left, right] = [6, 7, 8, 9, 10, 11];

const { i32, v128 } = valueType;
const { localGet, localSet, i32Const, i32Add } = code;

const advance = (local: number, by: number) => [
  ...localGet(local),
  ...i32Const(by),
  ...i32Add,
  ...localSet(local),
];

/** Eight bytes of the row, widened, times eight values of the query, added to one of two independent sums. */
const addHalf = (sum: number, extend: readonly number[], queryOffset: number) => [
  ...localGet(sum),
  ...localGet(row),
  ...code.v128Load(0),
  ...extend,
  ...localGet(part),
  ...code.v128Load(queryOffset),
  ...code.i32x4Dot,
  ...code.i32x4Add,
  ...localSet(sum),
];

const sumLanes = [
  ...localGet(left),
  ...localGet(right),
  ...code.i32x4Add,
  ...localSet(left),
  ...[0, 1, 2, 3].flatMap((lane) => [...localGet(left), ...code.i32x4ExtractLane(lane)]),
  ...i32Add,
  ...i32Add,
  ...i32Add,
];

const overRow = code.loopWhile([
  ...addHalf(left, code.i16x8ExtendLow, 0),
  ...addHalf(right, code.i16x8ExtendHigh, 16),
  ...advance(row, 16),
  ...advance(part, 32),
  ...localGet(row),
  ...localGet(rowEnd),
  ...code.i32LessUnsigned,
]);

const overRows = code.loopWhile([
  ...localGet(base),
  ...localGet(offsets),
  ...code.i32Load(),
  ...i32Add,
  ...localSet(row),
  ...localGet(row),
  ...localGet(length),
  ...i32Add,
  ...localSet(rowEnd),
  ...localGet(query),
  ...localSet(part),
  ...[left, right].flatMap((sum) => [...code.v128Zero, ...localSet(sum)]),
  ...overRow,
  ...localGet(sums),
  ...sumLanes,
  ...code.i32Store(),
  ...advance(offsets, 4),
  ...advance(sums, 4),
  ...localGet(offsets),
  ...localGet(end),
  ...code.i32LessUnsigned,
]);

// `end` is the end of the offsets, four bytes each: the count is doubled twice.
const quadruple = [
  ...localGet(count),
  ...localGet(count),
  ...i32Add,
  ...localSet(end),
  ...localGet(end),
  ...localGet(end),
  ...i32Add,
  ...localGet(offsets),
  ...i32Add,
  ...localSet(end),
];

const bytes = moduleOf({
  name: "dotRows",
  parameters: 6,
  locals: [i32, i32, i32, i32, v128, v128],
  body: [...quadruple, ...overRows],
});

/** The kernel over one memory. Node compiles it in a millisecond. */
export const makeDotRows = (memory: WebAssembly.Memory): DotRows => {
  const { dotRows } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { host: { memory } }).exports;
  if (typeof dotRows !== "function") {
    throw new Error("The scan kernel exports no function");
  }
  return (...numbers) => {
    // The loop tests at its end, so zero rows must not enter it.
    if (numbers[2] > 0) {
      dotRows(...numbers);
    }
  };
};
