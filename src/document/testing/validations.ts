import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Call, Caller, Endpoint } from "#contract/endpoint";
import { makeCases } from "../../cli/demo-cases.ts";
import { readPersons } from "../../cli/persons.ts";
import { formatOf } from "../../imaging/file-format.ts";
import { makeInspectImage } from "../../imaging/inspect-image.ts";
import { ledger } from "../../inference/ledger.ts";
import { modelHashes } from "../../inference/model-files.ts";
import { makeDiskObjects } from "../../storage/disk-objects.ts";
import { makeKeyring } from "../../storage/keyring.ts";
import { masterKeyOf } from "../../storage/master-key.ts";
import { makeBlobs } from "../../storage/sealed-blobs.ts";
import { openSqliteStore } from "../../storage/sqlite-store.ts";
import type { DocumentEngine } from "../engine.ts";
import type { LookUpHistory } from "../history.ts";
import { reviewEndpoints } from "../http/review.endpoint.ts";
import { startValidationEndpoint } from "../http/start-validation.endpoint.ts";
import { startValidationV1Endpoint } from "../http/start-validation-v1.endpoint.ts";
import { validationDataEndpoints } from "../http/validation-data.endpoint.ts";
import { validationStatusEndpoints } from "../http/validation-status.endpoint.ts";
import { withMetBefore } from "../met-before.ts";
import { type DocumentPolicy, defaultDocumentPolicy } from "../policy.ts";
import type { DocumentReading } from "../reading.ts";
import { makeDecideReview } from "../review/decide-review.ts";
import { makeReviewDesk } from "../review/review-desk.ts";
import { type EndWaitingDeps, makeEndWaiting } from "../validation/end-waiting.ts";
import { makeGetValidation, makeGetValidationStatus } from "../validation/find-validation.ts";
import { makeFailValidation, makeRunValidation } from "../validation/run-validation.ts";
import { makeSealing } from "../validation/sealed.ts";
import { makeStartValidation } from "../validation/start-validation.ts";
import { makeValidationWorker } from "../validation/validation-worker.ts";
import { openReader } from "./reader.ts";
import { collectFields } from "./reading.ts";

/** The product's own reading in this thread; the same picture is read once. */
export const openEngine = async () => {
  const reader = await openReader();
  const cases = await makeCases(reader.imaging, await readPersons(), new Date());
  const known = new Map<string, Promise<DocumentReading>>();
  const engine: DocumentEngine = {
    inspect: (bytes) => makeInspectImage(reader.imaging)({ bytes }),
    read: async (pictures, hints) => {
      const key = JSON.stringify([Object.values(pictures).map((bytes) => bytes.length), hints]);
      const reading = known.get(key) ?? reader.readDocument(pictures, hints);
      known.set(key, reading);
      return await reading;
    },
    models: modelHashes(ledger),
  };
  const pictureOf = (name: string): string =>
    Buffer.from(cases.find((one) => one.name === name)!.document).toString("base64");
  return { engine, pictureOf };
};

export type HouseOptions = {
  readonly engine: DocumentEngine;
  readonly policy?: Partial<DocumentPolicy>;
  readonly lookUpHistory?: LookUpHistory;
};

const openParts = async ({ engine, policy: change, lookUpHistory }: HouseOptions) => {
  const folder = await mkdtemp(join(tmpdir(), "idem-decisions-"));
  const store = await openSqliteStore({ path: join(folder, "idem.sqlite") });
  const tenantId = randomUUID();
  await store.createTenant({ id: tenantId, name: "a", createdAt: new Date() });
  const masters = [masterKeyOf(randomBytes(32))] as const;
  const keyring = makeKeyring({ store, masters, now: () => new Date() });
  const time = { aheadMs: 0 };
  const clock = (): Date => new Date(Date.now() + time.aheadMs);
  const policy = { ...defaultDocumentPolicy, ...change };
  const nothingKnown: LookUpHistory = lookUpHistory ?? (async () => ({ history: {}, record: [] }));
  const deps = {
    keyring,
    store,
    blobs: makeBlobs(makeDiskObjects(folder), keyring),
    sealing: makeSealing(keyring),
    engine,
    collectFields,
    lookUpHistory: withMetBefore(nothingKnown, { store, keyring, policy, clock }),
    policy,
    clock,
    newId: randomUUID,
  };
  const caller: Caller = { tenantId, keyId: randomUUID(), world: "test" };
  const close = async (): Promise<void> => {
    await store.close();
    await rm(folder, { recursive: true });
  };
  return { deps, time, caller, close };
};

type Deps = Awaited<ReturnType<typeof openParts>>["deps"];

/** Works off everything that is due, with a worker of its own. */
const workOff = async (deps: Deps, errors: unknown[]): Promise<void> => {
  const worker = makeValidationWorker({
    ...deps,
    random: Math.random,
    runValidation: makeRunValidation(deps),
    failValidation: makeFailValidation(deps),
    onError: (_, __, error) => errors.push(error),
    options: { name: randomUUID(), concurrency: 2, leaseMs: 30_000, pollMs: 50, attemptsMax: 3 },
  });
  worker.start();
  await worker.stop();
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

/** Validations on an embedded store in a folder of its own, with a clock that can be set on. */
export const openHouse = async (options: HouseOptions) => {
  const { deps, time, caller, close } = await openParts(options);
  const errors: unknown[] = [];
  const getStatus = makeGetValidationStatus(deps.store);
  const starting = {
    startValidation: makeStartValidation({ ...deps, getStatus, poke: () => undefined }),
    imageBytesMax: 5_000_000,
  };
  return {
    deps,
    errors,
    caller,
    call: async (endpoint: Endpoint, request: unknown, from: Partial<Caller> = {}): Promise<unknown> =>
      await endpoint.handle(callOf(request, { ...caller, ...from }, deps.clock())),
    workOff: () => workOff(deps, errors),
    passTime: (ms: number): void => {
      time.aheadMs += ms;
    },
    start: startValidationEndpoint(starting),
    startV1: startValidationV1Endpoint(starting),
    status: validationStatusEndpoints({ getStatus })[0]!,
    data: validationDataEndpoints({ getValidation: makeGetValidation(getStatus, deps.sealing) })[0]!,
    reviews: reviewEndpoints({
      desk: makeReviewDesk(deps),
      decideReview: makeDecideReview(deps),
      formatOf,
      policy: deps.policy,
    }),
    endWaiting: (change: Partial<EndWaitingDeps> = {}) =>
      makeEndWaiting({ ...deps, onError: (_, __, error) => errors.push(error), ...change })(
        new AbortController().signal,
      ),
    close,
  };
};

export type House = Awaited<ReturnType<typeof openHouse>>;
