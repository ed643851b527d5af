/** What the help texts of the checks without a service have in common. */
import type { Verdict } from "./check.ts";
import { exitCodeOf } from "./exit-code.ts";

/** Help of a list. */
export const listOptions = (columns: string): string => `
  --list CSV     a whole list: columns ${columns}
  --out CSV      the answers, one row each, with the columns of the list. A run that was cut off goes on where it stopped
  --root DIR     folder for the paths of the list; default: its own
  --html FILE    with --list: counts, error rates with 95 % bounds where the list states the truth, and the images of each error
`;

const verdicts = ["positive", "negative", "unjudged"] as const satisfies readonly Verdict[];

/** Help of the exit codes. */
export const exitCodes = (meanings: Partial<Readonly<Record<Verdict, string>>>): string =>
  [
    "Exit codes:",
    ...verdicts.flatMap((verdict) => {
      const meaning = meanings[verdict];
      return meaning === undefined ? [] : [`  ${exitCodeOf[verdict]}  ${meaning}`];
    }),
    "     also where a file or a setting is wrong",
    "  2  wrong usage",
    "With --list: 0 every row was answered, 1 an answer differs from the truth, 3 some rows could not be asked, 130 ended by Ctrl-C.",
  ].join("\n");
