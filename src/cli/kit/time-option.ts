import { momentFault } from "#contract/moment";
import { UsageError } from "../command.ts";

/**
 * The time that an option names: a day, which begins at 00:00 UTC, or a time with its offset from UTC. Throws
 * UsageError with the value that was given.
 */
export const timeOption = (option: string, text: string): Date => {
  if (text === "" || momentFault(option, text).length > 0) {
    throw new UsageError(
      `${option} is "${text}". Give a day (2026-11-01) or a time with its offset (2026-11-01T08:00:00Z).`,
    );
  }
  return new Date(text);
};
