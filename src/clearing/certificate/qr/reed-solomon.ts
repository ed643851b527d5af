/** Product in the field of 256 elements of ISO/IEC 18004, 7.5.2: modulo x^8 + x^4 + x^3 + x^2 + 1. */
const multiply = (a: number, b: number): number => {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
};

/** The generator polynomial of so many correction bytes, without its leading coefficient. */
const generatorOf = (degree: number): readonly number[] => {
  const coefficients = Array.from({ length: degree }, () => 0);
  coefficients[degree - 1] = 1;
  let root = 1;
  for (let step = 0; step < degree; step += 1) {
    for (let at = 0; at < degree; at += 1) {
      coefficients[at] = multiply(coefficients[at]!, root) ^ (coefficients[at + 1] ?? 0);
    }
    root = multiply(root, 2);
  }
  return coefficients;
};

/** The correction bytes of a block. */
export const correctionOf = (data: readonly number[], count: number): readonly number[] => {
  const generator = generatorOf(count);
  const rest = Array.from({ length: count }, () => 0);
  for (const byte of data) {
    const factor = byte ^ rest[0]!;
    rest.shift();
    rest.push(0);
    generator.forEach((coefficient, at) => {
      rest[at]! ^= multiply(coefficient, factor);
    });
  }
  return rest;
};
