import { expect, it } from "vitest";
import type { StoredDestination } from "../store/stored-destination.ts";
import { type JudgedDelivery, judgeDelivery } from "./judge-delivery.ts";

const at = new Date(1_790_000_000_000);
const stored: StoredDestination = {
  tenantId: "tenant",
  environment: "test",
  id: "destination",
  name: "Recepción",
  state: "active",
  topics: ["workflows/operation-finished/v1"],
  isOrdered: false,
  sealedSettings: new Uint8Array(),
  revision: 1,
  createdAt: at,
  changedAt: at,
};
const whole: JudgedDelivery = {
  stated: { operationId: "operation", sequence: 2, eventAt: at },
  event: {
    tenantId: "tenant",
    environment: "test",
    id: "event",
    operationId: "operation",
    sequence: 2,
    name: "selfie_captured",
    at,
    sealedData: new Uint8Array(),
  },
  destination: { tenantId: "tenant", id: "destination", stored, health: { warned: 0, isProbe: false } },
};

it("sends a delivery with its seal, also where the topics of its destination do not cover the event any more", () => {
  expect(judgeDelivery(whole)).toBeUndefined();
});

it("does not send a delivery without its seal", () => {
  expect(judgeDelivery({ ...whole, isForged: true })).toContain("added or changed past the service");
});

it.each([
  ["another environment", { environment: "live" as const }],
  ["another tenant", { tenantId: "other" }],
  ["another operation", { operationId: "other" }],
  ["another place in its operation", { sequence: 3 }],
  ["another time", { at: new Date(at.getTime() + 1) }],
])("does not send an event that was put in %s", (_, change) => {
  const refusal = judgeDelivery({ ...whole, event: { ...whole.event, ...change } });
  expect(refusal).toContain("its row was changed past the service");
});

it("leaves a delivery of a removed destination to its own end", () => {
  const { stored: _removed, ...destination } = whole.destination;
  expect(judgeDelivery({ ...whole, destination })).toBeUndefined();
});
