import type { ForgedDestination } from "#record/webhooks/destinations/destinations";
import type { ShownDestination } from "#record/webhooks/destinations/shown-destination";
import { printListing, printTable } from "../command.ts";

const stateOf = ({ state, stateReason }: ShownDestination): string =>
  stateReason === undefined ? state : `${state} (${stateReason})`;

/** One line for each destination. A forged destination shows only its id and name. */
export const printList = (
  destinations: readonly ShownDestination[],
  forged: readonly ForgedDestination[],
  isJson: boolean,
): void =>
  printListing(
    ["id", "name", "state", "topics", "url"],
    [
      ...destinations.map((one) => [one.id, one.name, stateOf(one), one.topics.join(","), one.url]),
      ...forged.map(({ id, name }) => [id, name, "forged", "", ""]),
    ],
    { isJson, empty: "There is no destination." },
  );

const authOf = ({ auth }: ShownDestination): string => {
  if (auth.kind === "none") return "none: the signature alone";
  if (auth.kind === "api-key") return `API key in the header ${auth.header}`;
  const scope = auth.scope === undefined ? "" : `, scope ${auth.scope}`;
  return `OAuth client ${auth.clientId} at ${auth.tokenUrl}${scope}, credentials in the ${auth.credentialsIn}`;
};

/** One setting on each line, without any secret. */
export const printOne = (one: ShownDestination): void => {
  const { retrySchedule, maxConcurrent } = one;
  printTable([
    ["id", one.id],
    ["name", one.name],
    ["state", stateOf(one)],
    ["url", one.url],
    ["topics", one.topics.join(",")],
    ["order", one.isOrdered ? "by operation" : "none"],
    ["headers", one.headerNames.join(", ") || "none"],
    ["authentication", authOf(one)],
    ["handshake", one.handshake ? "on" : "off"],
    ["timeout", `${one.timeoutMs / 1000} s`],
    ["retry", retrySchedule?.map((ms) => ms / 1000).join(",") ?? "of the deployment"],
    ["concurrent", maxConcurrent === undefined ? "of the deployment" : String(maxConcurrent)],
    ["created", one.createdAt.toISOString()],
    ["changed", one.changedAt.toISOString()],
    ["last success", one.lastSuccessAt?.toISOString() ?? "never"],
    ["failing since", one.failingSince?.toISOString() ?? "not failing"],
    [
      "breaker",
      one.breakerUntil === undefined ? "closed" : `open, probe at ${one.breakerUntil.toISOString()}`,
    ],
    ["former secret until", one.formerSecretUntil?.toISOString() ?? "none"],
  ]);
};
