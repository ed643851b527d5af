/** Help of the scripts: the comment at the head of each says what it does and how it is called. */
import { readFileSync } from "node:fs";

/** The comment at the head of a source file, without its marks; empty where it begins otherwise. */
export const headOf = (source: string): string => {
  const block = /^\/\*\*(.*?)\*\//s.exec(source)?.[1];
  const lines = block?.split("\n") ?? /^(?:\/\/.*\n)*/.exec(source)?.[0].split("\n") ?? [];
  return lines
    .map((line) => line.replace(/^ ?(\*|\/\/) ?/, "").trimEnd())
    .join("\n")
    .trim();
};

/** The help of a script whose command line asks for it; undefined for any other command line. */
export const helpFor = (words: readonly string[], readSource: () => string): string | undefined =>
  words.some((word) => word === "--help" || word === "-h") ? headOf(readSource()) : undefined;

/** Ends a script with its help where its command line asks for it, before it begins its work. */
export const endWithHelp = (script: string): void => {
  const help = helpFor(process.argv.slice(2), () => readFileSync(script, "utf8"));
  if (help === undefined) return;
  process.stdout.write(`${help}\n`);
  process.exit(0);
};
