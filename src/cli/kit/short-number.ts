/** A measured value as text: four decimals, or two significant digits where these would hide the value. */
export const shortNumber = (value: number): string =>
  String(Math.abs(value) < 0.001 ? Number(value.toPrecision(2)) : Number(value.toFixed(4)));
