import { createHash, randomBytes, randomUUID } from "node:crypto";
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
import { type Masters, makeKeyring } from "../../storage/keyring.ts";
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
import { makeCutPart } from "../signature.ts";
import { type EndWaitingDeps, makeEndWaiting } from "../validation/end-waiting.ts";
import { makeGetValidation, makeGetValidationStatus } from "../validation/find-validation.ts";
import { makeFailValidation } from "../validation/outcome.ts";
import { makeRunElsewhere, type RunElsewhereDeps } from "../validation/run-elsewhere.ts";
import { makeRunValidation } from "../validation/run-validation.ts";
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
    cutPart: makeCutPart(reader.imaging),
    read: async (pictures, hints) => {
      const hashes = Object.values(pictures).map((bytes) => createHash("sha256").update(bytes).digest("hex"));
      const key = JSON.stringify([hashes, hints]);
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

/** Where a house keeps what must survive it. */
export type Ground = { readonly folder: string; readonly masters: Masters };

export const makeGround = async (): Promise<Ground> => ({
  folder: await mkdtemp(join(tmpdir(), "idem-decisions-")),
  masters: [masterKeyOf(randomBytes(32))],
});

export type HouseOptions = {
  readonly engine: DocumentEngine;
  readonly policy?: Partial<DocumentPolicy>;
  readonly lookUpHistory?: LookUpHistory;
  /** Who judges in place of the service, and how long it may fail. */
  readonly elsewhere?: Pick<RunElsewhereDeps, "provider" | "givenUpAfterMs">;
  /** One that outlives the house; absent: its own, which goes with it. */
  readonly ground?: Ground;
};

const openParts = async ({ engine, policy: change, lookUpHistory, ground }: HouseOptions) => {
  const { folder, masters } = ground ?? (await makeGround());
  const store = await openSqliteStore({ path: join(folder, "idem.sqlite") });
  const tenant = { id: randomUUID(), name: "a", createdAt: new Date() };
  const { id: tenantId } = await store.createTenant(tenant);
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
    if (ground === undefined) await rm(folder, { recursive: true });
  };
  return { deps, time, caller, close };
};

type Deps = Awaited<ReturnType<typeof openParts>>["deps"];

/** Works off everything that is due, with a worker of its own. */
const workOff = async (
  deps: Deps,
  errors: unknown[],
  elsewhere: HouseOptions["elsewhere"],
): Promise<void> => {
  const name = randomUUID();
  const failValidation = makeFailValidation(deps);
  const onError = (_: string, __: string | undefined, error: unknown) => errors.push(error);
  const worker = makeValidationWorker({
    ...deps,
    random: Math.random,
    runValidation:
      elsewhere === undefined
        ? makeRunValidation(deps)
        : makeRunElsewhere({ ...deps, ...elsewhere, worker: name, failValidation, onError }),
    failValidation,
    onError,
    options: { name, concurrency: 2, leaseMs: 30_000, pollMs: 50, attemptsMax: 3 },
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
    workOff: () => workOff(deps, errors, options.elsewhere),
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
