import { print, say } from "../command.ts";

/** One checked step of the demo and its facts. */
export type Step = {
  readonly name: string;
  readonly story: string;
  readonly facts: Readonly<Record<string, unknown>>;
  /** What was not as expected; empty where the step is right. */
  readonly mistakes: readonly string[];
};

/** Prints a step; true where it is right. */
export const showStep = ({ name, story, facts, mistakes }: Step, isJson: boolean): boolean => {
  if (isJson) {
    print(JSON.stringify({ step: name, ...facts, ...(mistakes.length > 0 && { mistakes }) }));
  } else {
    print(`\n${name}: ${story}`);
    for (const [fact, value] of Object.entries(facts)) print(`  ${fact.padEnd(12)} ${String(value)}`);
  }
  mistakes.forEach((mistake) => say(`  UNEXPECTED: ${mistake}`));
  return mistakes.length === 0;
};

/** A mistake where a value is not the right one. */
export const differs = (what: string, found: unknown, right: unknown): readonly string[] =>
  found === right ? [] : [`${what} is ${String(found)}, expected ${String(right)}`];
