import { expect } from "vitest";
import { memberOf } from "../../scripts/contract/json.ts";
import { get, type Target } from "./run-persona.ts";

/** An event as the mailbox holds it. */
export type Event = {
  readonly source: string;
  readonly type: string;
  readonly id: string;
  readonly data: unknown;
};

/** Creates the destination that keeps the events of operations in the service's own mailbox. */
export const createMailbox = async ({ url, apiKey }: Target): Promise<void> => {
  const made = await fetch(`${url}/operator/destinations`, {
    method: "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify({ name: "personas", url: "mailbox:", topics: ["workflows/*/v1"] }),
  });
  expect(made.status).toBe(200);
};

/** Every event of an operation that arrived, in the order of arrival. */
export const eventsOf = async (service: Target, operation: string): Promise<readonly Event[]> => {
  const events: Event[] = [];
  for (let after = "0"; ; ) {
    const { messages } = await (await get(service, `/operator/mailbox?after=${after}`)).json();
    for (const { body } of messages) events.push(JSON.parse(body));
    if (messages.length === 0) return events.filter(({ source }) => source === `/operations/${operation}`);
    after = String(messages.at(-1).number);
  }
};

/** The event's own name, without version. */
export const nameOf = ({ type }: Event): string => type.split(".").at(-2) ?? "";

/** The values of event tables that an operation's events state. */
export const statedBy = (events: readonly Event[]): readonly string[] =>
  events.flatMap((event) => {
    const name = nameOf(event);
    const states = {
      facial_authentication_evaluated: ["facialEvent", memberOf(event.data, "status")],
      passive_liveness_evaluated: ["livenessEvent", memberOf(event.data, "diagnostic")],
      operation_finished: ["finishedStatus", memberOf(event.data, "status")],
    } as const;
    const stated = Object.entries(states).find(([of]) => of === name)?.[1];
    return [`event ${name}`, ...(stated ? [stated.join(" ")] : [])];
  });

/** The code tables whose values events state. */
export const eventTables: readonly string[] = ["event", "facialEvent", "livenessEvent", "finishedStatus"];
