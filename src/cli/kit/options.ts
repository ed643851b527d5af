/** Options that many commands have. */
import type { Caller } from "#contract/endpoint";
import { UsageError } from "../command.ts";

export const allEnvironments: readonly Caller["environment"][] = ["live", "test"];

/** The environment of an option. Throws UsageError. */
export const readEnvironment = (text: string): Caller["environment"] => {
  const environment = allEnvironments.find((known) => known === text);
  if (environment === undefined) throw new UsageError("Set --environment to live or test");
  return environment;
};

export const tenantOption = {
  type: "string",
  says: "name of the tenant; needed when there are several",
} as const;

export const liveOption = {
  type: "boolean",
  says: "the live environment; otherwise the test environment",
} as const;

/** The option of every listing. */
export const jsonOption = { type: "boolean" } as const;

/** The one environment of an entry. */
export const environmentOption = {
  type: "string",
  needed: "Name the environment: --environment live or --environment test",
  read: readEnvironment,
} as const;

/** Characters of a note beside a listed face or document. */
const noteLengthMax = 500;

/** The reason of an entry. */
export const noteOption = {
  type: "string",
  default: "",
  read: (text: string): string => {
    if (text.length <= noteLengthMax) return text;
    throw new UsageError(`Shorten --note to at most ${noteLengthMax} characters`);
  },
  says: `reason, for readers of the list; sealed, at most ${noteLengthMax} characters`,
} as const;
