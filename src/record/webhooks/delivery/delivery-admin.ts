import type { Caller } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { Json } from "#contract/json";
import { knownReference } from "#contract/reference";
import type { Keyring } from "#machine/storage/blobs";
import type { OperationStep } from "#record/transactions/operation-step";
import type { EvidenceEntry } from "#record/transactions/record";
import type {
  AttemptCommands,
  DeliveryPage,
  DeliveryPlace,
  ListedDelivery,
  LoggedAttempt,
} from "../store/attempt-store.ts";
import type { DestinationCommands } from "../store/destination-store.ts";
import type { DeliveryRange, ReplayCommands, Replayed } from "../store/replay-store.ts";
import type { DestinationOwner } from "../store/stored-destination.ts";
import type { DeliveryState } from "./delivery.ts";
import type { deliveryEvidenceKinds } from "./end-attempt.ts";
import { openAnswer } from "./sealed-answer.ts";

/** Who reads and changes deliveries: an API key, or the operator's command, which has none. */
export type DeliveryActor = DestinationOwner & Partial<Pick<Caller, "keyId">>;

export type DeliveryAdminDeps = {
  readonly store: AttemptCommands & ReplayCommands & Pick<DestinationCommands, "findDestination">;
  readonly keyring: Pick<Keyring, "open">;
  /** Prepares the step of a test event: an operation that starts, sealed. */
  readonly prepareTest: (of: DestinationOwner, operationId: string, at: Date) => Promise<OperationStep>;
  /** Starts due deliveries at once. */
  readonly wake: () => void;
  readonly clock: () => Date;
  readonly newId: () => string;
};

/** An attempt with its opened answer; null where its keys are destroyed. */
export type ShownAttempt = Omit<LoggedAttempt, "sealedAnswer"> & { readonly answer: Uint8Array | null };

type Wanted = {
  readonly destinationId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly state?: DeliveryState | undefined;
};

/** A range of one destination, as the operator asks for it. */
export type WantedRange = {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Of a replay in several calls: the time of the first one. */
  readonly endedBefore?: Date | undefined;
  readonly isDryRun: boolean;
};

/**
 * Deliveries for the operator. Each fails with not_found for what another tenant or environment has, as for
 * what does not exist. Made by {@link makeDeliveryAdmin}.
 */
export type DeliveryAdmin = {
  readonly list: (of: DeliveryActor, wanted: Wanted, after?: DeliveryPlace) => Promise<DeliveryPage>;
  readonly show: (
    of: DeliveryActor,
    destinationId: string,
    eventId: string,
  ) => Promise<{ readonly delivery: ListedDelivery; readonly attempts: readonly ShownAttempt[] }>;
  /** Returns the count: 0 while it is in flight. */
  readonly retry: (of: DeliveryActor, destinationId: string, eventId: string) => Promise<number>;
  readonly replayEvent: (of: DeliveryActor, eventId: string) => Promise<number>;
  readonly replay: (
    of: DeliveryActor,
    destinationId: string,
    range: WantedRange & { readonly isFailedOnly: boolean },
  ) => Promise<Replayed>;
  readonly release: (of: DeliveryActor, destinationId: string, range: WantedRange) => Promise<Replayed>;
  readonly sendTest: (
    of: DeliveryActor,
    destinationId: string,
  ) => Promise<{ readonly eventId: string; readonly operationId: string }>;
};

export const makeDeliveryAdmin = (deps: DeliveryAdminDeps): DeliveryAdmin => {
  const { store, clock } = deps;
  return {
    list: async (of, { destinationId, eventId, state }, after) =>
      await store.listDeliveries(
        of,
        {
          ...(destinationId !== undefined && { destinationId: knownReference(destinationId) }),
          ...(eventId !== undefined && { eventId: knownReference(eventId) }),
          ...(state && { state }),
        },
        after,
      ),
    show: makeShow(deps),
    retry: async (of, destination, event) => {
      const [destinationId, eventId] = [knownReference(destination), knownReference(event)];
      const found = await store.findDelivery(of, { destinationId, eventId });
      if (found === undefined) throw new Failure("not_found");
      const evidence = entryOf(deps, of, "deliveries_replayed", {
        destination: destinationId,
        event: eventId,
      });
      const key = { tenantId: of.tenantId, eventId, destinationId };
      return await waking(deps, store.replayEvent(key, clock(), evidence));
    },
    replayEvent: async (of, reference) => {
      const eventId = knownReference(reference);
      const { deliveries } = await store.listDeliveries(of, { eventId });
      if (deliveries.length === 0) throw new Failure("not_found");
      const evidence = entryOf(deps, of, "deliveries_replayed", { event: eventId });
      return await waking(deps, store.replayEvent({ tenantId: of.tenantId, eventId }, clock(), evidence));
    },
    ...makeRanges(deps),
    sendTest: makeSendTest(deps),
  };
};

/** What became due leaves at once. */
const waking = async <Answer>(
  { wake }: Pick<DeliveryAdminDeps, "wake">,
  change: Promise<Answer>,
): Promise<Answer> => {
  const answer = await change;
  wake();
  return answer;
};

const makeRanges = (deps: DeliveryAdminDeps): Pick<DeliveryAdmin, "replay" | "release"> => {
  const { store, clock } = deps;
  const find = makeFind(deps);
  const count = async (range: DeliveryRange, states: readonly DeliveryState[]): Promise<Replayed> => ({
    count: await store.countDeliveries(range, states, clock()),
    isLast: true,
  });
  return {
    replay: async (of, reference, { isFailedOnly, ...wanted }) => {
      const range = await find(of, reference, wanted);
      const states = isFailedOnly ? (["failed"] as const) : (["failed", "delivered"] as const);
      if (wanted.isDryRun) return await count(range, states);
      const evidence = entryOf(deps, of, "deliveries_replayed", { ...bodyOf(range), isFailedOnly });
      return await waking(deps, store.replayDeliveries(range, states, clock(), evidence));
    },
    release: async (of, reference, wanted) => {
      const range = await find(of, reference, wanted);
      if (wanted.isDryRun) return await count(range, ["held"]);
      const evidence = entryOf(deps, of, "deliveries_released", bodyOf(range));
      return await waking(deps, store.releaseDeliveries(range, clock(), evidence));
    },
  };
};

/** The range of an existing destination. */
const makeFind =
  ({ store }: DeliveryAdminDeps) =>
  async (
    of: DeliveryActor,
    reference: string,
    { from, to, endedBefore }: WantedRange,
  ): Promise<DeliveryRange> => {
    const destinationId = knownReference(reference);
    if ((await store.findDestination(of, destinationId)) === undefined) throw new Failure("not_found");
    return {
      tenantId: of.tenantId,
      destinationId,
      ...(from && { from }),
      ...(to && { to }),
      ...(endedBefore && { endedBefore }),
    };
  };

const bodyOf = ({ destinationId, from, to }: DeliveryRange) => ({
  destination: destinationId,
  from: from?.toISOString() ?? null,
  to: to?.toISOString() ?? null,
});

const entryOf = (
  { newId, clock }: DeliveryAdminDeps,
  { environment, keyId }: DeliveryActor,
  kind: (typeof deliveryEvidenceKinds)[number],
  body: Readonly<Record<string, Json>>,
): EvidenceEntry => ({
  id: newId(),
  kind,
  at: clock(),
  body: { environment, ...(keyId !== undefined && { key: keyId }), ...body },
});

const makeShow =
  ({ store, keyring }: DeliveryAdminDeps): DeliveryAdmin["show"] =>
  async (of, destination, event) => {
    const key = { destinationId: knownReference(destination), eventId: knownReference(event) };
    const found = await store.findDelivery(of, key);
    if (found === undefined) throw new Failure("not_found");
    const attempts: ShownAttempt[] = [];
    for (const { sealedAnswer, ...attempt } of found.attempts) {
      const opened =
        sealedAnswer === undefined
          ? null
          : await openAnswer(keyring, { ...of, ...key }, attempt.attempt, sealedAnswer).catch(
              (error: unknown) => {
                if (error instanceof Failure && error.code === "not_found") return null;
                throw error;
              },
            );
      attempts.push({ ...attempt, answer: opened });
    }
    return { delivery: found.delivery, attempts };
  };

const makeSendTest =
  ({ store, prepareTest, clock, newId, wake }: DeliveryAdminDeps): DeliveryAdmin["sendTest"] =>
  async (of, reference) => {
    const id = knownReference(reference);
    if ((await store.findDestination(of, id)) === undefined) throw new Failure("not_found");
    const at = clock();
    const operationId = `test-${newId()}`;
    const prepared = await prepareTest(of, operationId, at);
    // Ended at once: no call can join it, and its retention begins.
    const operation: OperationStep = { ...prepared, onlyTo: id, ending: { state: "SUCCEEDED" } };
    await store.addTestEvent(of.tenantId, operation);
    wake();
    const eventId = operation.opening?.started.id;
    if (eventId === undefined) throw new Error("A test event has no operation that starts");
    return { eventId, operationId };
  };
