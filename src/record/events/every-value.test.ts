/** Each value that the product can state in an event fits the contract, in the form in which it is sent. */
import { Compile } from "typebox/compile";
import { expect, it } from "vitest";
import type { EventName } from "#contract/event";
import { eventEnvelope } from "#contract/event-envelope";
import { type FacialAuthentication, facialAuthenticationNumber } from "#contract/facial-authentication";
import { type LivenessDiagnostic, livenessNumber } from "#contract/liveness";
import { endedStates } from "#contract/tracking-code";
import { detailsOfFaces } from "#judging/face/operation-details";
import { customerIdOf } from "#record/operations/customer-id";
import { eventStatusOf } from "#record/operations/operation-state";
import type { StatedEvent } from "#record/transactions/operation-step";
import { signatureKeyOf, writeCloudEvent } from "./cloud-event.ts";

const isName =
  <Name extends string>(table: Readonly<Record<Name, number>>) =>
  (name: string): name is Name =>
    name in table;
const statuses: readonly FacialAuthentication[] = Object.keys(facialAuthenticationNumber).filter(
  isName(facialAuthenticationNumber),
);
const diagnostics: readonly LivenessDiagnostic[] = Object.keys(livenessNumber).filter(isName(livenessNumber));

/** The event as a receiver parses it, and what the contract finds wrong in it. */
const sent = ({ name, data }: StatedEvent) => {
  const event = JSON.parse(
    writeCloudEvent(
      {
        tenantId: "t",
        environment: "test",
        id: "5b0f7c9e-58a4-4b35-9d38-1a0f4a4c7e21",
        operationId: "op",
        sequence: 1,
        name,
        at: new Date("2026-11-21T09:30:00.000Z"),
        data,
        assets: [],
      },
      { vendor: "idem", linkTo: () => "", secret: signatureKeyOf("whsec_") },
    ),
  );
  return { data: event.data, faults: [...Compile(eventEnvelope(name, "idem")).Errors(event)] };
};

const eventsOf = (...judged: Parameters<typeof detailsOfFaces>) => detailsOfFaces(...judged).events ?? [];
const named = (events: readonly StatedEvent[], name: EventName): StatedEvent => {
  const event = events.find((one) => one.name === name);
  if (event === undefined) throw new Error(`The details have no ${name}`);
  return event;
};

it.each(statuses)("facial_authentication_evaluated with %s, compared and not", (result) => {
  const similarities = [0, 1e-7, 0.99214232, 1];
  for (const similarity of similarities) {
    const comparison = { score: 0, similarity, falseMatchRate: 0.5, cosines: [] };
    const event = named(eventsOf({}, { facial: { result, comparison } }), "facial_authentication_evaluated");
    const { data, faults } = sent(event);
    expect(faults).toEqual([]);
    expect(data.status).toBe(result);
    expect(Math.abs(data.similarity - similarity)).toBeLessThanOrEqual(0.00005);
  }
  const [event] = eventsOf({}, { facial: { result } });
  expect(sent(event!)).toMatchObject({ data: { status: result, similarity: 0 }, faults: [] });
});

it.each(diagnostics)("passive_liveness_evaluated with %s", (diagnostic) => {
  const { data, faults } = sent({ name: "passive_liveness_evaluated", data: { diagnostic } });
  expect(faults).toEqual([]);
  expect(data).toEqual({ diagnostic, links: { assets: [] } });
});

it.each(endedStates)("operation_finished of an operation that ended as %s", (state) => {
  const customerId = customerIdOf("Núñez, a name that is longer than thirty-six characters") ?? "";
  const status = eventStatusOf[state];
  const { data, faults } = sent({ name: "operation_finished", data: { status, context: { customerId } } });
  expect(faults).toEqual([]);
  expect(data.status).toBe(status);
});

it("refuses a value that no table has, and a name of no or of 37 characters", () => {
  const context = { customerId: "c" };
  const wrong: readonly StatedEvent[] = [
    { name: "operation_finished", data: { status: "CANCELLED", context } },
    { name: "passive_liveness_evaluated", data: { diagnostic: "Alive" } },
    { name: "facial_authentication_evaluated", data: { status: "Positive", similarity: 1.1 } },
    { name: "operation_started", data: { customerId: "" } },
    { name: "operation_started", data: { customerId: "x".repeat(37) } },
    { name: "operation_finished", data: { status: "SUCCEEDED", context: {} } },
    { name: "id_captured", data: {} },
    { name: "id_validated", data: {} },
  ];
  for (const event of wrong) expect(sent(event).faults, event.name).not.toEqual([]);
});
