import {
  type EndedState,
  endedStates,
  expiryReason,
  operatorReason,
  trackingReasons,
  trackingStatuses,
} from "#contract/tracking-code";
import { eventStatusOf } from "./operation-state.ts";

/** What each end means, for integrators. */
const meaning: Readonly<Record<EndedState, string>> = {
  SUCCEEDED: "The person was verified.",
  DENIED: "The person was not verified.",
  ERROR: "The verification could not be completed, by a fault of a service or device.",
  CANCELLED: "The person ended the verification. No person is verified, and no service failed.",
  BLACKLISTED: "The person is on a block list.",
  EXPIRED: "No call came within `IDEM_OPERATION_MINUTES` of the last one.",
};

const isStatus = (state: EndedState): boolean => trackingStatuses.some((status) => status === state);

const rowOf = (state: EndedState): string => {
  const by = isStatus(state) ? `finishTracking with \`status\` ${state}; an operator` : "the service";
  return `| \`${state}\` | ${meaning[state]} | ${by} | \`${eventStatusOf[state]}\` |`;
};

/** The page of the states of an operation, in Markdown: a pure function of the tables. */
export const writeStatesPage = (): string =>
  [
    "# States of an operation",
    "",
    "Written by `npm run golden` from `src/record/operations/operation-state.ts` and `src/contract/tracking-code.ts`.",
    "[Operations](../docs/guides/integrate/operations.md) explains them.",
    "",
    "An operation is `open` from its first call. It ends once, and nothing leads out of an end.",
    "",
    "| State | Meaning | Ended by | `status` of operation_finished |",
    "|---|---|---|---|",
    ...endedStates.map(rowOf),
    "",
    "`CANCELLED` is reported as `DENIED`: [decision 47](../docs/decisions/0047-ends-of-an-operation.md).",
    "",
    "| What comes | While it is open | After its end |",
    "|---|---|---|",
    "| a call that names it by `operationId` | adds a step; its time to expiry begins again | refused: `operation_finished` (409) |",
    "| a call that names it by its tracking token alone | the same | answered, and left out of the operation |",
    "| a later decision on one of its calls | adds a step and `id_validated` | the same: the state stays |",
    "| the same end again | – | answered like the first, and nothing is stored |",
    "| another end | ends it | refused: `operation_finished` (409) |",
    "",
    "## Reasons",
    "",
    "`reason` of finishTracking is one of these, empty or absent. An operator's end has " +
      `\`${operatorReason}\`, an expired operation \`${expiryReason}\`.`,
    "",
    ...trackingReasons.filter((reason) => reason !== "").map((reason) => `- \`${reason}\``),
    "",
  ].join("\n");
