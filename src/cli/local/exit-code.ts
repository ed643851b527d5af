import type { Verdict } from "./check.ts";

/** Exit codes of a check. 2 is wrong usage, as of every command. */
export const exitCodeOf: Readonly<Record<Verdict, number>> = { positive: 0, negative: 1, unjudged: 3 };

/** The exit code of a command that could not judge: a missing file, a wrong setting, a broken engine. */
export const unjudgedCode = exitCodeOf.unjudged;
