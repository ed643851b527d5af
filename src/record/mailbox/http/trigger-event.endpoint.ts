import { type Call, type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import { linkedAssets } from "#contract/event";
import { eventData } from "#contract/event-data";
import { exampleImage, exampleOf } from "#contract/example";
import type { Json } from "#contract/json";
import { triggerEventRoute, type triggeredEvents } from "#contract/mailbox.routes";
import type { OperationDetails } from "#record/transactions/operation-step";
import type { RecordCall } from "#record/transactions/record-call";
import { requireTest } from "./mailbox.endpoint.ts";

type Triggered = (typeof triggeredEvents)[number];

/** Members that the links of kept images fill. */
const linkMembers = ["assets", "asset", "links"];

/** The example of the contract, as an event states it: without links. */
const exampleData = (name: Triggered): Readonly<Record<string, Json>> => {
  const data: object = JSON.parse(JSON.stringify(exampleOf(eventData[name])));
  return Object.fromEntries(Object.entries(data).filter(([member]) => !linkMembers.includes(member)));
};

/** What a call with this event would state. Opening the operation states operation_started. */
const detailsOf = (name: Triggered): OperationDetails => ({
  images: Object.fromEntries(linkedAssets[name].map((type) => [type, Buffer.from(exampleImage, "base64")])),
  events: name === "operation_started" ? [] : [{ name, data: exampleData(name) }],
});

/** Makes test events by the way of every other: the record of a call, with the step of its operation. */
export const triggerEventEndpoint = (recordCall: RecordCall, newId: () => string): Endpoint =>
  implement(triggerEventRoute, async (call) => {
    requireTest(call.caller);
    const { event, operationId = `test-${newId()}` } = call.request;
    const tracked: Call<unknown> = { ...call, tracking: { operationId } };
    await recordCall(tracked, {
      endpoint: triggerEventRoute.name,
      result: { event },
      measurements: null,
      policyVersion: "none",
      operationDetails: detailsOf(event),
    });
    return { timestamp: answeredAt(call).toISOString(), operationId };
  });
