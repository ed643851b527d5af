import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { type OperationState, trackingStatuses } from "#contract/tracking-code";
import { makeDiskObjects } from "#machine/storage/disk-objects";
import { makeBlobs } from "#machine/storage/sealed-blobs";
import { makeRecordCall, stepOf, transactionOf } from "#record/transactions/record-call";
import { openRecordingStore } from "#support/app/recording-store";
import { openTokens } from "#support/tokens/open-tokens";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { makeExpireOperations } from "./expire-operations.ts";
import { makeFinishTracking } from "./finish-tracking.ts";
import type { Owner } from "./operation.ts";
import { eventStatusOf, judgeFinish } from "./operation-state.ts";
import { openEvent } from "./sealed-event.ts";
import { makeTrackCall, makeTrackDecision } from "./track-call.ts";

const expiresAfterMs = 1000;
let folder: string;
let parts: Awaited<ReturnType<typeof openParts>>;

const openParts = async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-operations-"));
  const store = await openRecordingStore(join(folder, "idem.sqlite"));
  const masters = [masterKeyOf(randomBytes(32))] as const;
  const keyring = makeKeyring({ store, masters, now: () => new Date() });
  const blobs = makeBlobs(makeDiskObjects(join(folder, "blobs")), keyring, store);
  const { openToken } = await openTokens();
  const keepPixels = async (bytes: Uint8Array) => bytes;
  const tracking = { keyring, blobs, newId: randomUUID, expiresAfterMs, keepPixels, keepsImages: false };
  return {
    store,
    keyring,
    openToken,
    trackCall: makeTrackCall(tracking),
    trackDecision: makeTrackDecision(tracking),
  };
};

beforeAll(async () => {
  parts = await openParts();
});
afterAll(async () => {
  await parts.store.close();
  await rm(folder, { recursive: true });
});

/** What the model holds of one operation. */
type Model = { state: OperationState | undefined; events: string[]; expiresAt: number; now: number };

type Real = { readonly owner: Owner; readonly id: string };

const callAt = ({ owner, id }: Real, now: number) => ({
  caller: { ...owner, keyId: "key" },
  transactionId: randomUUID(),
  receivedAt: new Date(now),
  tracking: { operationId: id },
});

/** The failure of a command by its code; undefined where it succeeds. */
const failureOf = async (run: () => Promise<unknown>): Promise<string | undefined> => {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
};

const finishWith = () => {
  const { store, keyring, openToken, trackCall } = parts;
  return makeFinishTracking({
    store,
    keyring,
    newId: randomUUID,
    recordCall: makeRecordCall(store, trackCall),
    openToken,
    count: () => undefined,
  });
};

/** The stored operation is the one of the model: state, and events in a sequence without gaps. */
const expectSame = async (model: Model, { owner, id }: Real): Promise<void> => {
  const timeline = await parts.store.readTimeline(owner, id);
  expect(timeline?.operation.state).toBe(model.state);
  const events = timeline?.events ?? [];
  expect(events.map(({ name }) => name)).toEqual(model.events);
  expect(events.map(({ sequence }) => sequence)).toEqual(model.events.map((_, at) => at + 1));
  if (model.state === undefined || model.state === "open") return;
  const finished = events.filter(({ name }) => name === "operation_finished");
  expect(finished).toHaveLength(1);
  const { data } = await openEvent(parts.keyring, { ...owner, ...finished[0]! });
  expect(data).toEqual({ status: eventStatusOf[model.state], context: { customerId: id } });
};

type Command = fc.AsyncCommand<Model, Real>;

const command = (name: string, run: (model: Model, real: Real) => Promise<void>): Command => ({
  check: () => true,
  run: async (model, real) => {
    model.now += 1;
    await run(model, real);
    await expectSame(model, real);
  },
  toString: () => name,
});

const call = command("call", async (model, real) => {
  const isEnded = model.state !== undefined && model.state !== "open";
  const { store, trackCall } = parts;
  const operationDetails = { events: [{ name: "selfie_captured", data: {} }] } as const;
  const entry = {
    endpoint: "identity",
    result: null,
    measurements: null,
    policyVersion: "",
    operationDetails,
  };
  const failure = await failureOf(() => makeRecordCall(store, trackCall)(callAt(real, model.now), entry));
  expect(failure).toBe(isEnded ? "operation_finished" : undefined);
  if (isEnded) return;
  if (model.state === undefined) model.events.push("operation_started");
  model.events.push("selfie_captured");
  model.state = "open";
  model.expiresAt = model.now + expiresAfterMs;
});

const decision = command("decision", async (model, real) => {
  const { store, trackDecision } = parts;
  const { transactionId, receivedAt: at, caller } = callAt(real, model.now);
  const events = [{ name: "id_validated", data: { validation: {} } }] as const;
  const of = { id: real.id, assets: [] };
  const operation = await trackDecision({ ...real.owner, transactionId, at }, "review", of, events);
  const entry = { endpoint: "review", result: null, measurements: null, policyVersion: "" };
  const record = transactionOf({ caller, transactionId, receivedAt: at }, entry);
  await store.recordTransaction(record, [], stepOf({ operation }));
  if (model.state !== undefined) model.events.push("id_validated");
});

const finish = (status: (typeof trackingStatuses)[number]) =>
  command(`finish ${status}`, async (model, real) => {
    const failure = await failureOf(() => finishWith()(callAt(real, model.now), { state: status }));
    const judged = model.state && judgeFinish(model.state, status);
    const expected = { ended: undefined, repeated: undefined, refused: "operation_finished" } as const;
    expect(failure).toBe(judged === undefined ? "operation_unknown" : expected[judged]);
    if (judged !== "ended") return;
    model.state = status;
    model.events.push("operation_finished");
  });

const pass = (ms: number) =>
  command(`${ms} ms pass`, async (model, { owner }) => {
    model.now += ms;
    const { store, keyring } = parts;
    // Each operation has a tenant of its own, and the others are over.
    const listExpired = async (...args: Parameters<typeof store.listExpired>) =>
      (await store.listExpired(...args)).filter(({ tenantId }) => tenantId === owner.tenantId);
    const expire = makeExpireOperations({
      store: { listExpired, expireOperation: store.expireOperation },
      keyring,
      newId: randomUUID,
      clock: () => new Date(model.now),
      count: () => undefined,
      onError: (error) => {
        throw error;
      },
    });
    const isDue = model.state === "open" && model.expiresAt <= model.now;
    expect(await expire(new AbortController().signal)).toBe(isDue ? 1 : 0);
    if (!isDue) return;
    model.state = "EXPIRED";
    model.events.push("operation_finished");
  });

it("an operation follows its model, whatever calls, decisions, ends and times come", async () => {
  const commands = fc.commands(
    [
      fc.constant(call),
      fc.constant(decision),
      fc.constantFrom(...trackingStatuses).map(finish),
      fc.constantFrom(10, 600, 1200).map(pass),
    ],
    { maxCommands: 12 },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (list) => {
      const tenantId = randomUUID();
      await parts.store.createTenant({ id: tenantId, name: tenantId, createdAt: new Date() });
      const real: Real = { owner: { tenantId, environment: "test" }, id: `op-${tenantId.slice(0, 8)}` };
      const model: Model = { state: undefined, events: [], expiresAt: 0, now: Date.now() };
      await fc.asyncModelRun(() => ({ model, real }), list);
    }),
    { numRuns: 40 },
  );
});
