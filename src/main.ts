/**
 * Composition root of the main thread: the parts list of the service, read from top to bottom. Every room gets what
 * it needs as arguments; nothing here decides anything.
 */
import type { Config } from "./config.ts";
import type { Endpoint } from "./contract/endpoint.ts";
import { judgeCompleteness, makeLaterEndpoints } from "./contract/later.ts";
import { makeEndWaiting } from "./document/validation/end-waiting.ts";
import type { ValidationWorker } from "./document/validation/validation-worker.ts";
import { type Jobs, makeDocumentEndpoints, makeJobs, makeWorker } from "./document-parts.ts";
import { makeComparePortrait } from "./face/compare-portrait.ts";
import { shadowGauges } from "./face/engine/shadow-tally.ts";
import type { FaceService } from "./face/service.ts";
import { makeFaceEndpoints, makeFaceService } from "./face-parts.ts";
import { type CallLog, type LogSink, makeCallLog } from "./http/log.ts";
import { makeMetrics } from "./http/metrics.ts";
import type { ServerOptions } from "./http/options.ts";
import { makeFindHindrances, type Need } from "./http/readiness.ts";
import { buildServer, type IdemServer } from "./http/server.ts";
import { poolGauges } from "./inference/pool-gauges.ts";
import { describeCohort } from "./open-cohort.ts";
import { openDocumentModels } from "./open-document-models.ts";
import { readDocumentPolicy } from "./open-document-policy.ts";
import { type Engine, openEngine, readEngineFiles } from "./open-engine.ts";
import { inspectLiveness, readFacePolicy, requireAssurance } from "./open-face-policy.ts";
import { describeAdded, listAdded } from "./open-models.ts";
import { openPepList } from "./open-pep-list.ts";
import { openStorage, openTokenKeys, type ReadyConfig, type Storage } from "./open-storage.ts";
import type { Parts, Report } from "./parts.ts";
import { openPeople, type People } from "./people-parts.ts";
import type { Store } from "./storage/store.ts";
import { startTidying } from "./storage/tidying.ts";
import { holdKeys } from "./tokens/held-keys.ts";
import { publishKeys } from "./tokens/keys.ts";
import { makeOpenToken } from "./tokens/open.ts";
import { version } from "./version.ts";

/** The service, ready to listen. */
export type Idem = {
  readonly server: IdemServer;
  readonly store: Store;
  /** What liveness is worth here, in words for the operator. */
  readonly liveness: string;
  /** Drains the server, lets running validations end, closes engine and store. */
  readonly stop: () => Promise<void>;
};

const clock = (): Date => new Date();

const checkComplete = (endpoints: readonly Endpoint[]): void => {
  const gaps = Object.entries(judgeCompleteness(endpoints)).filter(([, names]) => names.length > 0);
  if (gaps.length > 0) {
    throw new Error(`Routes and endpoints differ: ${JSON.stringify(Object.fromEntries(gaps))}`);
  }
};

/** Every endpoint of the interface. */
const makeEndpoints = (
  parts: Parts,
  faceService: FaceService,
  people: readonly Endpoint[],
  jobs: Jobs,
  worker: ValidationWorker,
): readonly Endpoint[] => {
  const endpoints = [
    ...makeFaceEndpoints(parts, faceService),
    ...people,
    ...makeDocumentEndpoints(parts, jobs, worker, makeComparePortrait(faceService)),
    ...makeLaterEndpoints(),
  ];
  checkComplete(endpoints);
  return endpoints;
};

/** What serving needs: store, object storage, and a thread that computes. */
const makeReadiness = (
  { storage, engine, report }: Parts,
  more: readonly Need[],
  onReadyAgain: () => void,
) => {
  const checkThreads = async (): Promise<void> => {
    if (engine.pool.readings().threads === 0) throw new Error("The pool has no thread");
  };
  const needs: readonly Need[] = [
    { missing: "the store does not answer", check: storage.store.ping },
    { missing: "the object storage does not answer", check: storage.objects.ping },
    { missing: "no inference thread is alive", check: checkThreads },
    ...more,
  ];
  const onMissing = (sentence: string, error: unknown): void =>
    report("service", `Not ready: ${sentence}`, error);
  return makeFindHindrances(needs, { onMissing, onReadyAgain }, clock);
};

const startTidyingUp = ({ config, storage, report }: Parts, jobs: Jobs): (() => Promise<void>) =>
  startTidying({
    further: [
      makeEndWaiting({
        ...jobs,
        store: storage.store,
        onError: (what, id, error) => report("documentValidation", `Could not ${what}`, error, id),
      }),
    ],
    sightingsKeptMs: jobs.policy.velocity.hours * 3_600_000,
    objects: storage.objects,
    store: storage.store,
    picturesKeptMs: config.validation.picturesKeptMs,
    numbersKeptMs: config.validation.numbersKeptMs,
    clock,
    onError: (error) => report("tidying", "Tidying up failed; it is tried again in an hour", error),
  });

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

/** What faces are judged with, for the log. */
const faceFactsOf = ({ files: { added }, policies, liveness }: Reading) => ({
  addedModels: describeAdded(listAdded(added)),
  faceCohort: describeCohort(added, policies.facePolicy.comparison.scale),
  liveness: liveness.level,
});

/** Writes one line when the service begins to listen. */
const telling = (
  server: IdemServer,
  config: ReadyConfig,
  faceFacts: ReturnType<typeof faceFactsOf>,
  log: CallLog,
): IdemServer => ({
  ...server,
  listen: async (at) => {
    const address = await server.listen(at);
    const store = config.databaseUrl === undefined ? "embedded" : "postgresql";
    const blobs = config.s3 === undefined ? "disk" : "s3";
    log.service("The service listens", {
      version,
      address,
      mode: config.mode,
      store,
      blobs,
      ...faceFacts,
      morphology: config.morphology.provider,
      node: process.version,
    });
    return address;
  },
});

/**
 * The storage, opened while the engine loads. Where one of them fails the other is closed before that is told: a thread
 * that is cut off while it loads a network ends the process with an abort instead of the exit code.
 */
const openBeside = async (engine: Engine, config: ReadyConfig): Promise<Storage> => {
  const storage = openStorage(config);
  try {
    await Promise.all([storage, engine.pool.ready]);
    return await storage;
  } catch (error) {
    await Promise.allSettled([storage, engine.pool.ready]);
    await engine.pool.close();
    await storage.then(
      ({ close }) => close(),
      () => undefined,
    );
    throw error;
  }
};

/** Ends everything, what is used after what uses it. */
const makeStop =
  (
    { engine, storage }: Parts,
    { search }: People,
    server: IdemServer,
    worker: ValidationWorker,
    stopTidying: () => Promise<void>,
    log: CallLog,
  ) =>
  async (): Promise<void> => {
    await Promise.all([stopTidying(), server.drain().then(worker.stop)]);
    await Promise.all([engine.pool.close(), search.close()]);
    await storage.close();
    log.service("The service ended", { version });
  };

/** What a start reads and judges before anything is made. */
export type Reading = Awaited<ReturnType<typeof readIdem>>;

/** Reads models, policies and lists. Throws Error, with what to do, where a service must not start so; makes nothing. */
export const readIdem = async (config: Config) => {
  const files = await readEngineFiles(config);
  const policies = {
    facePolicy: await readFacePolicy(config, files.added),
    documentPolicy: await readDocumentPolicy(config),
    documentModels: openDocumentModels(config),
    peps: await openPepList(config),
  };
  const liveness = inspectLiveness(config, files.added);
  requireAssurance(liveness);
  return { files, policies, liveness };
};

/** Opens store, keys, engine and server. Resolves when the service could answer; it does not listen yet. */
export const openIdem = async (
  config: ReadyConfig,
  reading: Reading,
  log: LogSink = (line) => process.stdout.write(`${line}\n`),
): Promise<Idem> => {
  const { files, policies, liveness } = reading;
  const callLog = makeCallLog(log, clock, config.logLevel);
  const report: Report = (component, note, error, subject) =>
    callLog.error({ component, subject, note, error });
  const engine = openEngine(config, files, (cause) => report("inference", "An inference thread died", cause));
  const storage = await openBeside(engine, config);
  const tokenKeys = await holdKeys(openTokenKeys(storage.store, config).loadOrCreate, clock());
  const openToken = await makeOpenToken(tokenKeys.keys(), config.tokens, tokenKeys.renew);
  const parts: Parts = { config, storage, engine, ...policies, openToken, report, note: callLog.service };
  const faceService = makeFaceService(parts);
  const publishedKeys = () => publishKeys(tokenKeys.keys());
  const people = openPeople({ ...parts, faceService, clock, publishedKeys });
  await people.search.begun;
  const jobs = makeJobs(parts, people.lookUpHistory, clock);
  const worker = makeWorker(parts, jobs);
  const endpoints = makeEndpoints(parts, faceService, people.endpoints, jobs, worker);
  const metrics = makeMetrics();
  poolGauges(engine.pool.readings).forEach(metrics.collect);
  shadowGauges(engine.shadow).forEach(metrics.collect);
  people.search.gauges.forEach(metrics.collect);
  const server = buildServer({
    ...serverSettings(config),
    endpoints,
    keys: { find: storage.store.findApiKey, touch: storage.store.touchApiKeys },
    metrics,
    log: callLog,
    findHindrances: makeReadiness(parts, people.search.needs, () => callLog.service("Ready again", {})),
    isBroken: storage.store.isBroken,
    readPublicKeys: async () => publishedKeys(),
    version,
  });
  worker.start();
  const stop = makeStop(parts, people, server, worker, startTidyingUp(parts, jobs), callLog);
  return {
    server: telling(server, config, faceFactsOf(reading), callLog),
    store: storage.store,
    liveness: liveness.words,
    stop,
  };
};
