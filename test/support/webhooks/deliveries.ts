import { randomUUID } from "node:crypto";
import type { Store } from "#app/store";
import type { OperationStep } from "#record/transactions/operation-step";
import type { DeliveryLease, FinishedAttempt, LeasedDelivery } from "#record/webhooks/delivery/delivery";
import type { NewDestination } from "#record/webhooks/store/stored-destination";
import { anOperationStep, aTransaction, at, noStep, someBytes } from "../storage/suite.ts";

export const aDestination = (tenantId: string, change: Partial<NewDestination> = {}): NewDestination => ({
  tenantId,
  environment: "test",
  id: randomUUID(),
  name: "Recepción",
  state: "active",
  topics: ["*"],
  isOrdered: false,
  sealedSettings: someBytes(),
  createdAt: at(0),
  ...change,
});

/** Creates a destination; returns its id. */
export const newDestination = async (
  store: Store,
  tenantId: string,
  change: Partial<NewDestination> = {},
): Promise<string> => {
  const destination = aDestination(tenantId, change);
  await store.createDestination(destination, 1_000, noStep);
  return destination.id;
};

/** A call that opens an operation of this name: operation_started, and selfie_captured. */
export const recordEvents = async (
  store: Store,
  tenantId: string,
  operationId: string,
  change: Partial<OperationStep> = {},
): Promise<void> => {
  const call = randomUUID();
  const operation = anOperationStep(operationId, {
    transactionId: call,
    opening: {
      started: { id: randomUUID(), name: "operation_started", sealedData: someBytes() },
      expiresAt: at(1000),
    },
    events: [{ id: randomUUID(), name: "selfie_captured", sealedData: someBytes() }],
    ...change,
  });
  await store.recordTransaction(aTransaction(tenantId, { id: call }), [], { evidence: [], operation });
};

export const leaseMs = 45_000;

export const aLease = (change: Partial<DeliveryLease> = {}): DeliveryLease => ({
  worker: "one",
  now: at(10),
  leaseMs,
  limit: 100,
  inFlightMax: 8,
  after: "",
  ...change,
});

export const anAttempt = (
  { tenantId, destinationId, eventId, attempts }: LeasedDelivery,
  change: Partial<FinishedAttempt> = {},
): FinishedAttempt => ({
  tenantId,
  destinationId,
  eventId,
  attempt: attempts + 1,
  at: at(20),
  outcome: "delivered",
  status: 204,
  decision: "delivered",
  state: "delivered",
  failures: 0,
  address: "192.0.2.7",
  timings: { dnsMs: 1, connectMs: 2.5, tlsMs: 9, firstByteMs: 12, totalMs: 13 },
  ...change,
});

export const aFailure = (delivery: LeasedDelivery, nextAt: Date): FinishedAttempt =>
  anAttempt(delivery, {
    outcome: "refused",
    status: 500,
    decision: "retry",
    state: "due",
    failures: delivery.failures + 1,
    nextAt,
  });
