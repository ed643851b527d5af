import { print } from "../command.ts";

/** One line of the doctor's report. `advice` is the next step; without it the check passed. */
export type Finding = { readonly subject: string; readonly found: string; readonly advice?: string };

export const finding = (subject: string, found: string, advice?: string): Finding =>
  advice === undefined ? { subject, found } : { subject, found, advice };

/** Runs a check. A failed check gives the message of its error. */
export const orRed = async (
  subject: string,
  found: string,
  check: () => Promise<Finding>,
): Promise<Finding> =>
  await check().catch((error: unknown) =>
    finding(subject, found, error instanceof Error ? error.message : String(error)),
  );

export const showFinding = ({ subject, found, advice }: Finding): void => {
  print(`${advice === undefined ? "ok  " : "RED "} ${subject.padEnd(15)} ${found}`);
  if (advice !== undefined) {
    print(`     ${" ".repeat(15)} -> ${advice}`);
  }
};
