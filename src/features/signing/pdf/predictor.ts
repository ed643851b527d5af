import { DamagedPdf } from "./damaged.ts";

/** The filter of one row of PNG (RFC 2083, 6). */
const paeth = (left: number, up: number, upLeft: number): number => {
  const estimate = left + up - upLeft;
  const [byLeft, byUp, byUpLeft] = [
    Math.abs(estimate - left),
    Math.abs(estimate - up),
    Math.abs(estimate - upLeft),
  ];
  if (byLeft <= byUp && byLeft <= byUpLeft) return left;
  return byUp <= byUpLeft ? up : upLeft;
};

const predict = (filter: number, left: number, up: number, upLeft: number): number => {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4:
      return paeth(left, up, upLeft);
    default:
      throw new DamagedPdf("a row has an unknown predictor");
  }
};

/**
 * Undoes the predictors of PNG over rows of `columns` bytes, each after its filter (ISO 32000-2, 7.4.4.4).
 */
export const undoPngPredictor = (bytes: Uint8Array, columns: number, pixelBytes = 1): Buffer => {
  if (columns < 1 || columns > 1 << 20) throw new DamagedPdf("the columns of a predictor are wrong");
  const rows = Math.floor(bytes.length / (columns + 1));
  const out = Buffer.alloc(rows * columns);
  for (let row = 0; row < rows; row++) {
    const from = row * (columns + 1);
    const to = row * columns;
    const filter = bytes[from]!;
    for (let column = 0; column < columns; column++) {
      const left = column < pixelBytes ? 0 : out[to + column - pixelBytes]!;
      const up = row === 0 ? 0 : out[to + column - columns]!;
      const upLeft = row === 0 || column < pixelBytes ? 0 : out[to + column - columns - pixelBytes]!;
      out[to + column] = (bytes[from + 1 + column]! + predict(filter, left, up, upLeft)) & 255;
    }
  }
  return out;
};
