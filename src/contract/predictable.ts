/** Values are bytes. A sum or product that leaves their range comes back in at the other end. */
const size = 256;

const differences = (row: readonly number[], lag = 1): readonly number[] =>
  row.slice(lag).map((value, at) => (((value - row[at]!) % size) + size) % size);

/**
 * Steps of a pattern that is looked for: x(n+1) − x(n), its differences again, x(n+1) ⊕ x(n), and x(n+2) −
 * x(n+1) − x(n).
 */
const stepsOf = (values: readonly number[]): readonly (readonly number[])[] => {
  const first = differences(values);
  const second = differences(first);
  return [
    first,
    second,
    differences(second),
    values.slice(1).map((value, at) => value ^ values[at]!),
    values.slice(2).map((value, at) => (((value - values[at + 1]! - values[at]!) % size) + 2 * size) % size),
  ];
};

/** Steps over several places. They find rows that alternate, and a text that repeats itself. */
const longStepsOf = (values: readonly number[]): readonly (readonly number[])[] =>
  Array.from({ length: Math.max(0, values.length - lagRestMin - 1) }, (_, at) => differences(values, at + 2));

/** The shortest row of steps in which equal steps show a pattern. */
const lagRestMin = 8;

/**
 * Largest part of different values in the steps of a pattern. 15 steps of random digits have 3 different ones
 * once in 10^5 texts, of other alphabets less often; an alphabet with digits behind its letters has two.
 */
const patternPart = 1 / 4;

/**
 * The same for steps over several places. A text has many such rows: 8 steps of random digits are equal once
 * in 10^6 texts.
 */
const longPatternPart = 1 / 8;

/**
 * Whether the steps are few for their number, and for the different values that they lead to: a long random
 * text has many of each.
 */
const areFew = (steps: readonly number[], part: number, different: number): boolean =>
  new Set(steps).size <= Math.min(steps.length * part, different / 2);

/** x(n+1) = c · x(n). */
const isGeometric = (values: readonly number[]): boolean =>
  Array.from({ length: size }, (_, factor) => factor).some((factor) =>
    values.slice(1).every((value, at) => value === (values[at]! * factor) % size),
  );

const isSorted = (values: readonly number[]): boolean => {
  const pairs = values.slice(1).map((value, at) => value - values[at]!);
  return pairs.every((step) => step >= 0) || pairs.every((step) => step <= 0);
};

/**
 * Whether a sequence of bytes can be guessed from its beginning: it repeats itself, counts up or down in any
 * steps, is sorted, or follows another simple rule. A sequence of 16 random digits is predictable once in
 * 10^4, of other values far less; shorter ones are not judged.
 */
export const isPredictable = (values: readonly number[]): boolean =>
  values.length >= 2 * lagRestMin && (isSorted(values) || isGeometric(values) || hasFewSteps(values));

const hasFewSteps = (values: readonly number[]): boolean => {
  const different = new Set(values).size;
  return (
    stepsOf(values).some((steps) => areFew(steps, patternPart, different)) ||
    longStepsOf(values).some((steps) => areFew(steps, longPatternPart, different))
  );
};

/** Whether the text can be guessed from its beginning, by its characters. */
export const isPredictableText = (text: string): boolean => isPredictable([...Buffer.from(text, "utf8")]);

/** Whether bytes are a text that a person could have typed: UTF-8 without control characters. */
export const isTypedText = (bytes: Uint8Array): boolean => {
  try {
    return !/\p{C}/u.test(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return false;
  }
};
