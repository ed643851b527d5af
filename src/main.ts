/**
 * Composition root of the main thread: the parts list of the service, read from top to bottom. Every room gets what
 * it needs as arguments; nothing here decides anything.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Config } from "./config.ts";
import type { Endpoint } from "./contract/endpoint.ts";
import { judgeCompleteness, makeLaterEndpoints } from "./contract/later.ts";
import type { DocumentEngine } from "./document/engine.ts";
import { makeExtractDocument } from "./document/extract-document.ts";
import { extractDocumentDataEndpoint } from "./document/http/extract-document-data.endpoint.ts";
import { extractDocumentDataWebEndpoint } from "./document/http/extract-document-data-web.endpoint.ts";
import { startValidationEndpoint } from "./document/http/start-validation.endpoint.ts";
import { startValidationV1Endpoint } from "./document/http/start-validation-v1.endpoint.ts";
import { validationDataEndpoints } from "./document/http/validation-data.endpoint.ts";
import { validationStatusEndpoints } from "./document/http/validation-status.endpoint.ts";
import { defaultDocumentPolicy } from "./document/policy.ts";
import { makeGetValidation, makeGetValidationStatus } from "./document/validation/find-validation.ts";
import { makeFailValidation, makeRunValidation } from "./document/validation/run-validation.ts";
import { makeSealing } from "./document/validation/sealed.ts";
import { makeStartValidation } from "./document/validation/start-validation.ts";
import {
  defaultValidationWorkerOptions,
  makeValidationWorker,
  type ValidationWorker,
} from "./document/validation/validation-worker.ts";
import { makeAuthenticateFacial } from "./face/authenticate-facial.ts";
import { makeDetokenize } from "./face/detokenize.ts";
import { makeEvaluateLiveness } from "./face/evaluate-liveness.ts";
import { makeExtractAttributes } from "./face/extract-attributes.ts";
import { authenticateFacialEndpoint } from "./face/http/authenticate-facial.endpoint.ts";
import { detokenizeEndpoint } from "./face/http/detokenize.endpoint.ts";
import {
  evaluatePassiveLivenessEndpoint,
  evaluatePassiveLivenessTokenEndpoint,
} from "./face/http/evaluate-passive-liveness.endpoint.ts";
import { extractFacialEndpoint } from "./face/http/extract-facial.endpoint.ts";
import { identityEndpoint } from "./face/http/identity.endpoint.ts";
import type { FaceEngine } from "./face/measurement.ts";
import { defaultFacePolicy } from "./face/policy.ts";
import { makeVerifyIdentity } from "./face/verify-identity.ts";
import { type LogSink, makeCallLog } from "./http/log.ts";
import { makeMetrics } from "./http/metrics.ts";
import type { ServerOptions } from "./http/options.ts";
import { buildServer, type IdemServer } from "./http/server.ts";
import { ledger } from "./inference/ledger.ts";
import { modelHashes } from "./inference/model-files.ts";
import { type NetworkFiles, readNetworks } from "./inference/network-files.ts";
import { makePool, type Pool } from "./inference/pool.ts";
import { poolGauges } from "./inference/pool-gauges.ts";
import type { Blobs, Keyring } from "./storage/blobs.ts";
import { openDataDirectory, prepareDirectory } from "./storage/data-directory.ts";
import { makeDiskObjects } from "./storage/disk-objects.ts";
import { destroyTenantKeys, type Masters, makeKeyring, rotateMaster } from "./storage/keyring.ts";
import { masterKeyOf } from "./storage/master-key.ts";
import type { Objects } from "./storage/objects.ts";
import { migratePostgres, openPostgresStore } from "./storage/postgres-store.ts";
import { makeBlobs, sweepBlobs } from "./storage/sealed-blobs.ts";
import { openSqliteStore } from "./storage/sqlite-store.ts";
import type { Store } from "./storage/store.ts";
import { makeTokenKeyStore, type TokenKeyStore } from "./tokens/key-store.ts";
import { publishKeys } from "./tokens/keys.ts";
import { makeMasterSealer } from "./tokens/master-sealer.ts";
import { makeOpenToken } from "./tokens/open.ts";
import type { OpenToken } from "./tokens/token.ts";
import type { WorkerTasks } from "./worker.ts";

/** A configuration whose master key is there. */
export type ReadyConfig = Config & { readonly masterKey: Uint8Array };

/** The service, ready to listen. */
export type Idem = {
  readonly server: IdemServer;
  readonly store: Store;
  /** Drains the server, lets running validations end, closes engine and store. */
  readonly stop: () => Promise<void>;
};

const clock = (): Date => new Date();

const packageText: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const version =
  typeof packageText === "object" && packageText !== null && "version" in packageText
    ? String(packageText.version)
    : "unknown";

/**
 * Opens the store that the configuration names; on the embedded one, and when told so, brings its tables up to date.
 * The embedded store takes its data directory for this process alone; with PostgreSQL several processes may share one.
 */
export const openStore = async (
  config: ReadyConfig,
  { migrate = false }: { readonly migrate?: boolean } = {},
): Promise<{ readonly store: Store; readonly close: () => Promise<void> }> => {
  if (config.databaseUrl !== undefined) {
    await prepareDirectory(config.dataDirectory);
    const address = { url: config.databaseUrl };
    if (migrate) {
      await migratePostgres(address, clock());
    }
    const store = await openPostgresStore(address);
    return { store, close: store.close };
  }
  const directory = await openDataDirectory(config.dataDirectory);
  try {
    const store = await openSqliteStore({ path: join(directory.path, "idem.sqlite") });
    const close = async (): Promise<void> => {
      await store.close();
      directory.release();
    };
    return { store, close };
  } catch (error) {
    directory.release();
    throw error;
  }
};

export type Engine = {
  readonly pool: Pool<WorkerTasks>;
  readonly face: FaceEngine;
  readonly document: DocumentEngine;
};

/** A read of two large pictures takes seconds; what runs a minute hangs. A call's own time limit is its signal's. */
const analysisMsMax = 60_000;

/** The networks that have a part in reading a document. */
const documentNetworks: readonly string[] = ["text-detector", "mrz-line", "blazeface", "facemesh"];

const option = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

/** Starts the inference threads; `pool.ready` resolves when every network has run in each. */
export const openEngine = (
  config: Config,
  networks: NetworkFiles,
  onDeath: (cause: unknown) => void,
): Engine => {
  const pool = makePool<WorkerTasks>({
    worker: new URL("./worker.ts", import.meta.url),
    workers: config.inference.workers,
    queueMax: config.inference.queueMax,
    taskMsMax: analysisMsMax,
    heapMbMax: 512,
    workerData: {
      imageBytesMax: config.images.bytesMax,
      imagePixelsMax: config.images.pixelsMax,
      networks,
    },
    onDeath,
  });
  return {
    pool,
    face: {
      measure: (bytes, wanted, signal) => pool.run("measureFace", { bytes, wanted }, option(signal)),
    },
    document: {
      inspect: (bytes, signal) => pool.run("inspectImage", { bytes }, option(signal)),
      read: (pictures, hints, signal) => pool.run("readDocument", { pictures, hints }, option(signal)),
      models: Object.fromEntries(
        Object.entries(modelHashes(ledger)).filter(([name]) => documentNetworks.includes(name)),
      ),
    },
  };
};

type Storage = {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly objects: Objects;
  readonly blobs: Blobs;
  readonly close: () => Promise<void>;
};

const mastersOf = ({ masterKey, masterKeyPrevious: previous }: ReadyConfig): Masters => [
  masterKeyOf(masterKey),
  ...(previous === undefined ? [] : [masterKeyOf(previous)]),
];

/** The deployment's pairs for tokens, sealed by its master key. */
export const openTokenKeys = (store: Store, config: ReadyConfig): TokenKeyStore =>
  makeTokenKeyStore(store, makeMasterSealer(config.masterKey, config.masterKeyPrevious));

/**
 * Wraps every data key and the token keys under the current master key, so that the previous one can be dropped.
 * Answers how many data keys there were to wrap.
 */
export const rewrapKeys = async (store: Store, config: ReadyConfig): Promise<number> => {
  await openTokenKeys(store, config).loadOrCreate(clock());
  return await rotateMaster(store, mastersOf(config));
};

/** Destroys the tenant's data keys, so that nothing sealed for it can be opened again. Answers the ids of the keys. */
export const eraseTenant = async (store: Store, tenantId: string): Promise<readonly string[]> =>
  await destroyTenantKeys(store, tenantId, clock());

const openStorage = async (config: ReadyConfig): Promise<Storage> => {
  const { store, close } = await openStore(config);
  const keyring = makeKeyring({ store, masters: mastersOf(config), now: clock });
  const objects = await openObjects(config);
  return { store, close, keyring, objects, blobs: makeBlobs(objects, keyring) };
};

const openObjects = async ({ s3, dataDirectory }: ReadyConfig): Promise<Objects> => {
  if (s3 === undefined) {
    return makeDiskObjects(join(dataDirectory, "blobs"));
  }
  // Loaded where it is wanted: the client costs a tenth of a start.
  const { makeS3Objects } = await import("./storage/s3-objects.ts");
  return await makeS3Objects({
    bucket: s3.bucket,
    region: s3.region,
    // Servers other than AWS rarely resolve bucket names as hosts.
    pathStyle: s3.endpoint !== undefined,
    ...(s3.prefix === undefined ? {} : { prefix: s3.prefix }),
    ...(s3.endpoint === undefined ? {} : { endpoint: s3.endpoint }),
    ...(s3.accessKeyId === undefined ? {} : { accessKey: s3.accessKeyId }),
    ...(s3.secretAccessKey === undefined ? {} : { secretKey: s3.secretAccessKey }),
  });
};

type Parts = {
  readonly config: ReadyConfig;
  readonly storage: Storage;
  readonly engine: Engine;
  readonly openToken: OpenToken;
  readonly onError: (note: string, error: unknown) => void;
};

const makeFaceEndpoints = ({ config, storage, engine, openToken, onError }: Parts): readonly Endpoint[] => {
  const service = {
    engine: engine.face,
    openToken,
    store: storage.store,
    policy: defaultFacePolicy,
    bestImageTokenAgeMs: config.tokens.ageMsMax["best-image"],
    onError,
  };
  const { bytesMax } = config.images;
  const evaluateLiveness = makeEvaluateLiveness(service);
  return [
    identityEndpoint(makeVerifyIdentity(service), bytesMax),
    authenticateFacialEndpoint(makeAuthenticateFacial(service), bytesMax),
    evaluatePassiveLivenessEndpoint(evaluateLiveness, bytesMax),
    evaluatePassiveLivenessTokenEndpoint(evaluateLiveness),
    extractFacialEndpoint(makeExtractAttributes(service), bytesMax),
    detokenizeEndpoint(makeDetokenize(service)),
  ];
};

/** What the validation's steps share. */
const makeJobs = ({ storage, engine }: Parts) => ({
  blobs: storage.blobs,
  sealing: makeSealing(storage.keyring),
  engine: engine.document,
  policy: defaultDocumentPolicy,
  clock,
  newId: randomUUID,
});

type Jobs = ReturnType<typeof makeJobs>;

const makeWorker = ({ config, storage, onError }: Parts, jobs: Jobs): ValidationWorker =>
  makeValidationWorker({
    store: storage.store,
    runValidation: makeRunValidation(jobs),
    failValidation: makeFailValidation(jobs),
    clock,
    random: Math.random,
    onError: (what, id, error) => onError(`Validation ${id ?? ""}: ${what}`, error),
    options: {
      ...defaultValidationWorkerOptions,
      name: `${hostname()}/${process.pid}/${randomUUID()}`,
      concurrency: config.inference.workers,
      leaseMs: config.validation.leaseMs,
    },
  });

const makeDocumentEndpoints = (
  { config, storage, openToken }: Parts,
  jobs: Jobs,
  { poke }: ValidationWorker,
): readonly Endpoint[] => {
  const { store } = storage;
  const { engine, policy, sealing } = jobs;
  const startValidation = makeStartValidation({ ...jobs, store, policyVersion: policy.version, poke });
  const getStatus = makeGetValidationStatus(store);
  const getValidation = makeGetValidation(getStatus, sealing);
  const extractDocument = makeExtractDocument({ store, engine, policy });
  const start = { startValidation, imageBytesMax: config.images.bytesMax };
  const extract = {
    openToken,
    extractDocument,
    ...(config.defaultCountry === undefined ? {} : { defaultCountry: config.defaultCountry }),
  };
  return [
    startValidationEndpoint(start),
    startValidationV1Endpoint(start),
    ...validationStatusEndpoints({ getStatus }),
    ...validationDataEndpoints({ getValidation }),
    extractDocumentDataEndpoint(extract),
    extractDocumentDataWebEndpoint(extract),
  ];
};

const checkComplete = (endpoints: readonly Endpoint[]): void => {
  const gaps = Object.entries(judgeCompleteness(endpoints)).filter(([, names]) => names.length > 0);
  if (gaps.length > 0) {
    throw new Error(`Routes and endpoints differ: ${JSON.stringify(Object.fromEntries(gaps))}`);
  }
};

/** What keeps the service from serving, in words. */
const makeFindHindrances =
  ({ storage, engine }: Pick<Parts, "storage" | "engine">) =>
  async (): Promise<readonly string[]> => {
    const isStoreDown = await storage.store.ping().then(
      () => false,
      () => true,
    );
    const { threads } = engine.pool.readings();
    return [
      ...(isStoreDown ? ["the store does not answer"] : []),
      ...(threads === 0 ? ["no inference thread is alive"] : []),
    ];
  };

/** A call writes its row within its own time limit; an hour is far beyond it. */
const orphanAgeMs = 3_600_000;
const tidyEveryMs = 3_600_000;
/** What one command of the store removes at most: a full one means that there is more. */
const purgeMax = 1000;

/** Removes what nothing needs any more: pictures that were kept long enough, blobs that no row names, used tokens that have expired. */
const startTidying = ({ config, storage, onError }: Parts): (() => void) => {
  const { objects, store } = storage;
  const tidy = async (): Promise<void> => {
    const keptSince = new Date(clock().getTime() - config.validation.picturesKeptMs);
    while ((await store.forgetBlobs(keptSince)) === purgeMax);
    await sweepBlobs(objects, store, new Date(clock().getTime() - orphanAgeMs));
    while ((await store.purgeTokenUses(clock())) === purgeMax);
  };
  const run = (): void => {
    tidy().catch((error: unknown) => onError("Tidying up failed; it is tried again in an hour", error));
  };
  run();
  const timer = setInterval(run, tidyEveryMs);
  timer.unref();
  return () => clearInterval(timer);
};

/** Who may read the metrics: with a token its bearer; without one everybody in development, nobody in production. */
const metricsAccessOf = ({ mode, http }: ReadyConfig): NonNullable<ServerOptions["metricsAccess"]> => {
  if (http.metricsToken !== undefined) {
    return { bearer: http.metricsToken };
  }
  return mode === "production" ? "closed" : "open";
};

const serverSettings = (config: ReadyConfig) => {
  const { publicUrl, trustedProxies, isBehindTls, rate, ...http } = config.http;
  const { bodyBytesMax, requestTimeoutMs, drainMs } = http;
  return {
    limits: { bodyBytesMax, requestTimeoutMs, drainMs, ...(rate === undefined ? {} : { rate }) },
    isBehindTls,
    metricsAccess: metricsAccessOf(config),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(trustedProxies === undefined ? {} : { trustedProxies }),
  };
};

/** Opens store, keys, engine and server. Resolves when the service could answer; it does not listen yet. */
export const openIdem = async (
  config: ReadyConfig,
  log: LogSink = (line) => process.stdout.write(`${line}\n`),
): Promise<Idem> => {
  const callLog = makeCallLog(log, clock, config.logLevel);
  const onError = (note: string, error: unknown): void =>
    callLog.error({ requestId: "", route: "", note, error });
  const networks = await readNetworks(ledger);
  const engine = openEngine(config, networks, (cause) => onError("An inference thread died", cause));
  const [storage] = await Promise.all([openStorage(config), engine.pool.ready]);
  const tokenKeys = await openTokenKeys(storage.store, config).loadOrCreate(clock());
  const openToken = await makeOpenToken(tokenKeys, config.tokens);
  const parts: Parts = { config, storage, engine, openToken, onError };
  const jobs = makeJobs(parts);
  const worker = makeWorker(parts, jobs);
  const endpoints = [
    ...makeFaceEndpoints(parts),
    ...makeDocumentEndpoints(parts, jobs, worker),
    ...makeLaterEndpoints(),
  ];
  checkComplete(endpoints);
  const metrics = makeMetrics();
  poolGauges(engine.pool.readings).forEach(metrics.collect);
  const server = buildServer({
    ...serverSettings(config),
    logLevel: config.logLevel,
    endpoints,
    keys: { find: storage.store.findApiKey, touch: storage.store.touchApiKeys },
    metrics,
    log,
    findHindrances: makeFindHindrances(parts),
    readPublicKeys: async () => publishKeys(tokenKeys),
    version,
  });
  worker.start();
  const stopTidying = startTidying(parts);
  const stop = async (): Promise<void> => {
    stopTidying();
    await server.drain();
    await worker.stop();
    await engine.pool.close();
    await storage.close();
  };
  return { server, store: storage.store, stop };
};
