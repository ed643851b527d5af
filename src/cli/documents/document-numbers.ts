import { CommandError } from "../command.ts";

const numbersMax = 100_000;

/** Limit on the size of the input. */
export const numbersBytesMax = 8_000_000;

/**
 * Parses document numbers, one per line, with line numbers from 1. A CommandError names the line, never the
 * number.
 */
export const parseNumbers = (text: string): readonly { readonly line: number; readonly number: string }[] => {
  const numbers = text
    .split("\n")
    .map((words, n) => ({ line: n + 1, number: words.trim() }))
    .filter(({ number }) => number !== "");
  const wrong = numbers.find(({ number }) => !/^[A-Za-z0-9].{2,39}$/.test(number));
  if (numbers.length === 0) throw new CommandError("Standard input holds no number.");
  if (wrong !== undefined) throw new CommandError(`Line ${wrong.line} is not a document number.`);
  if (numbers.length > numbersMax) throw new CommandError(`At most ${numbersMax} numbers at once.`);
  return numbers;
};
