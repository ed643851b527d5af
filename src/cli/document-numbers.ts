import { CommandError } from "./command.ts";

const numbersMax = 100_000;

/** More than so many numbers and their line ends take. */
export const numbersBytesMax = 8_000_000;

/** Numbers of documents, one a line, with their lines from 1. Throws CommandError that names a line and no number. */
export const parseNumbers = (text: string): readonly { readonly line: number; readonly number: string }[] => {
  const numbers = text
    .split("\n")
    .map((words, n) => ({ line: n + 1, number: words.trim() }))
    .filter(({ number }) => number !== "");
  const wrong = numbers.find(({ number }) => !/^[A-Za-z0-9].{2,39}$/.test(number));
  if (numbers.length === 0) throw new CommandError("Standard input holds no number.");
  if (wrong !== undefined) throw new CommandError(`Line ${wrong.line} is no number of a document.`);
  if (numbers.length > numbersMax) throw new CommandError(`At most ${numbersMax} numbers at once.`);
  return numbers;
};
