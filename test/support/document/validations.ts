import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeRecordingStore } from "#app/recording-store";
import { openReviews } from "#app/reviews";
import type { Call, Caller, Endpoint } from "#contract/endpoint";
import { decideDocument } from "#judging/document/decision/decide";
import type { LookUpHistory } from "#judging/document/decision/history/history";
import { withHistoryChecks } from "#judging/document/decision/history/velocity";
import { type DocumentPolicy, defaultDocumentPolicy } from "#judging/document/decision/policy";
import { startValidationEndpoint } from "#judging/document/http/start-validation.endpoint";
import { startValidationV1Endpoint } from "#judging/document/http/start-validation-v1.endpoint";
import { validationDataEndpoints } from "#judging/document/http/validation-data.endpoint";
import { validationStatusEndpoints } from "#judging/document/http/validation-status.endpoint";
import { makeDescribeValidation } from "#judging/document/http/wire-record";
import type { DocumentEngine } from "#judging/document/reading/engine";
import { type EndWaitingDeps, makeEndWaiting } from "#judging/document/validation/end-waiting";
import { makeFailValidation } from "#judging/document/validation/outcome";
import {
  makeRunWithProvider,
  type RunWithProviderDeps,
} from "#judging/document/validation/provider/run-with-provider";
import { makeRunValidation } from "#judging/document/validation/run-validation";
import { makeSealing } from "#judging/document/validation/sealed";
import { makeStartValidation } from "#judging/document/validation/start-validation";
import { makeTrackValidation } from "#judging/document/validation/track-validation";
import { makeValidationJobs } from "#judging/document/validation/validation-jobs";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { makeKeepPixels } from "#machine/imaging/strip/keep-pixels";
import { makeDiskObjects } from "#machine/storage/disk-objects";
import { makeBlobs } from "#machine/storage/sealed-blobs";
import { makeLeaseLoop } from "#record/jobs/lease-loop";
import { makeRunLock } from "#record/jobs/run-lock";
import { type Masters, makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { openStoreHere } from "../app/store-here.ts";
import { openOperations } from "../operations/open-operations.ts";
import { sharedCases } from "../sandbox/specimen/shared-cases.ts";
import { collectFields } from "./reading.ts";
import { openRealEngine } from "./real-engine.ts";

const keepPixels = makeKeepPixels(makeImaging({ limits: defaultImagingLimits }));

/** The product's own reading in this thread, and the drawn documents that it reads. */
export const openEngine = async () => {
  const [engine, cases] = [await openRealEngine(), await sharedCases()];
  const imageOf = (name: string): string =>
    Buffer.from(cases.find((one) => one.name === name)!.document).toString("base64");
  return { engine, imageOf };
};

/** Storage that survives a harness. */
export type ValidationBase = { readonly folder: string; readonly masters: Masters };

export const makeValidationBase = async (): Promise<ValidationBase> => ({
  folder: await mkdtemp(join(tmpdir(), "idem-decisions-")),
  masters: [masterKeyOf(randomBytes(32))],
});

export type HarnessOptions = {
  readonly engine: DocumentEngine;
  readonly policy?: Partial<DocumentPolicy>;
  readonly lookUpHistory?: LookUpHistory;
  /** The external provider that decides, and the longest time of its failures. */
  readonly external?: Pick<RunWithProviderDeps, "provider" | "givenUpAfterMs">;
  /** Storage that outlives the harness; absent: its own, removed at its end. */
  readonly ground?: ValidationBase;
};

const openParts = async ({ engine, policy: change, lookUpHistory, ground }: HarnessOptions) => {
  const { folder, masters } = ground ?? (await makeValidationBase());
  const file = join(folder, "idem.sqlite");
  const sealedStore = await openStoreHere({ path: file });
  const keyring = makeKeyring({ store: sealedStore, masters, now: () => new Date() });
  const store = makeRecordingStore(sealedStore, keyring);
  const tenant = { id: randomUUID(), name: "a", createdAt: new Date() };
  const { id: tenantId } = await store.createTenant(tenant);
  const time = { aheadMs: 0 };
  const clock = (): Date => new Date(Date.now() + time.aheadMs);
  const policy = { ...defaultDocumentPolicy, ...change };
  const noHistory: LookUpHistory = lookUpHistory ?? (async () => ({ history: {}, record: [] }));
  const blobs = makeBlobs(makeDiskObjects(folder), keyring, store);
  const operations = openOperations({ keyring, blobs, file });
  const { trackCall, trackDecision } = operations.tracking;
  const deps = {
    keyring,
    store,
    blobs,
    trackCall,
    trackValidation: makeTrackValidation(trackDecision, makeDescribeValidation("extended")),
    sealing: makeSealing(keyring),
    engine,
    decide: decideDocument,
    collectFields,
    lookUpHistory: withHistoryChecks(noHistory, { store, keyring, policy, clock }),
    policy,
    clock,
    newId: randomUUID,
  };
  const caller: Caller = { tenantId, keyId: randomUUID(), environment: "test" };
  const close = async (): Promise<void> => {
    await store.close();
    if (ground === undefined) await rm(folder, { recursive: true });
  };
  return { deps, operations, folder, time, caller, close };
};

type HarnessDeps = Awaited<ReturnType<typeof openParts>>["deps"];

/** The clock of a process that started a minute ago: it takes over the work of a dead one at once. */
const clockOfRunning = (clock: () => Date): (() => Date) => {
  let startedAt: Date | undefined = new Date(clock().getTime() - 60_000);
  return () => {
    const now = startedAt ?? clock();
    startedAt = undefined;
    return now;
  };
};

/** Runs the due validations in a loop of its own, until none is due. */
const workOff = async (
  deps: HarnessDeps,
  errors: unknown[],
  external: HarnessOptions["external"],
): Promise<void> => {
  const holder = randomUUID();
  const failValidation = makeFailValidation(deps);
  const onError = (_: string, __: string | undefined, error: unknown) => errors.push(error);
  const runValidation =
    external === undefined
      ? makeRunValidation(deps)
      : makeRunWithProvider({ ...deps, ...external, holder, onError });
  const jobs = makeValidationJobs({ ...deps, holder, runValidation, failValidation });
  const idle = Promise.withResolvers<void>();
  const loop = makeLeaseLoop({
    jobs: {
      ...jobs,
      lease: async (request) => {
        const answer = await jobs.lease(request);
        if (answer.jobs.length === 0 && !answer.isPoisonedDue) idle.resolve();
        return answer;
      },
    },
    clock: clockOfRunning(deps.clock),
    lock: makeRunLock(),
    random: Math.random,
    onError: (_, __, error) => errors.push(error),
    options: { concurrency: 2, leaseMs: 30_000, pollMs: 50, attemptsMax: 3, deathsMax: 3 },
  });
  loop.start();
  await idle.promise;
  await loop.stop();
};

const callOf = (request: unknown, caller: Caller, receivedAt: Date): Call<unknown> => ({
  request,
  caller,
  transactionId: randomUUID(),
  requestId: randomUUID(),
  receivedAt,
  signal: new AbortController().signal,
  elapsedMs: () => 3,
});

/** Validations on an embedded store in a folder of its own, with a clock that can be advanced. */
export const openHarness = async (options: HarnessOptions) => {
  const { deps, operations, folder, time, caller, close } = await openParts(options);
  const errors: unknown[] = [];
  const starting = {
    startValidation: makeStartValidation({ ...deps, wake: () => undefined }),
    imageBytesMax: 5_000_000,
  };
  return {
    deps,
    operations,
    folder,
    errors,
    caller,
    call: async (endpoint: Endpoint, request: unknown, from: Partial<Caller> = {}): Promise<unknown> =>
      await endpoint.handle(callOf(request, { ...caller, ...from }, deps.clock())),
    workOff: () => workOff(deps, errors, options.external),
    passTime: (ms: number): void => {
      time.aheadMs += ms;
    },
    start: startValidationEndpoint(starting),
    startV1: startValidationV1Endpoint(starting),
    status: validationStatusEndpoints(deps)[0]!,
    data: validationDataEndpoints(deps, "extended")[0]!,
    reviews: openReviews(deps, { keepPixels: (bytes) => keepPixels({ bytes }) }),
    endWaiting: (change: Partial<EndWaitingDeps> = {}) =>
      makeEndWaiting({ ...deps, onError: (_, __, error) => errors.push(error), ...change })(
        new AbortController().signal,
      ),
    close,
  };
};

export type Harness = Awaited<ReturnType<typeof openHarness>>;
