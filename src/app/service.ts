/**
 * Composition root of the main thread. Opens the parts, opens the modules with them, and folds the modules
 * into one server, one schedule and one stop. Decides nothing about a face or a document.
 */

import { judgeCompleteness } from "#contract/completeness";
import type { Endpoint } from "#contract/endpoint";
import { version } from "#contract/version";
import type { Config } from "#machine/config/config";
import { makeBaseUrl } from "#machine/http/base-url";
import type { Traces } from "#machine/http/call-span";
import { type CallLog, type LogSink, makeCallLog } from "#machine/http/log";
import { makeMetrics } from "#machine/http/metrics";
import { makeFindUnmet } from "#machine/http/readiness";
import { buildServer, type IdemServer } from "#machine/http/server";
import { writePageDetector } from "#machine/networks/conversion/page-detector";
import { ledger } from "#machine/networks/ledger";
import { readModelFiles } from "#machine/networks/model-files";
import type { HolderWait } from "#machine/storage/data-directory";
import { makeRunLock } from "#record/jobs/run-lock";
import { type Schedule, startSchedule } from "#record/jobs/schedule";
import { makeHashAuthentication } from "#record/transactions/authentication-hash";
import { makeRecordCall } from "#record/transactions/record-call";
import { publishKeys } from "#trust/tokens/keys";
import { makeOpenToken } from "#trust/tokens/open";
import type { PublishedKeys } from "#trust/tokens/seal";
import { type BodyThreads, openBodyThreads } from "./body-threads.ts";
import { openDocumentModels } from "./document-models.ts";
import { readDocumentPolicy } from "./document-policy.ts";
import { type Engine, openEngine, readEngineFiles } from "./engine.ts";
import { openAuthorities } from "./evidence.ts";
import { inspectLiveness, readFacePolicy, requireAssurance } from "./face-policy.ts";
import { logListening } from "./log-listening.ts";
import { makeLogSink } from "./log-sink.ts";
import { openMailbox } from "./mailbox.ts";
import type { Module, Role } from "./module.ts";
import { openModules } from "./modules.ts";
import { type Outgoing, openOutgoing } from "./outgoing.ts";
import type { Parts } from "./parts.ts";
import { openPepList } from "./pep-list.ts";
import type { RecordingStore } from "./recording-store.ts";
import { findRegistrySettings } from "./registries.ts";
import type { Report } from "./report.ts";
import { openRights } from "./rights.ts";
import { refuseForged } from "./rights-watch.ts";
import { partOf } from "./roles.ts";
import { serverSettings } from "./server-settings.ts";
import { startJobsWhenListening } from "./start-jobs.ts";
import { openPlaces, openStorage, type Places, type ReadyConfig } from "./storage.ts";
import type { Store } from "./store.ts";
import { tidyEveryMs } from "./tidying.ts";
import { openHeldKeys } from "./token-keys.ts";
import { openTraces } from "./traces.ts";
import { openTracking } from "./tracking.ts";

/** The service, ready to listen. Made by {@link openIdem}. */
export type Idem = {
  readonly server: IdemServer;
  readonly store: RecordingStore;
  /** The level of assurance of liveness, as a sentence for the operator. */
  readonly liveness: string;
  /** Drains the server, waits for the running jobs, and closes every module: the store last. */
  readonly stop: () => Promise<void>;
};

const clock = (): Date => new Date();

/** Throws Error unless every route has exactly one endpoint and every endpoint has a route. */
const checkComplete = (endpoints: readonly Endpoint[]): void => {
  const gaps = Object.entries(judgeCompleteness(endpoints)).filter(([, names]) => names.length > 0);
  if (gaps.length > 0) {
    throw new Error(`Routes and endpoints differ: ${JSON.stringify(Object.fromEntries(gaps))}`);
  }
};

export const startTidying = (modules: readonly Module[], report: Report): Schedule =>
  startSchedule({
    // A module before the modules that it uses: the store's tasks then remove the images of validations that
    // ended in the same round.
    tasks: modules.toReversed().flatMap(({ tidying = [] }) => tidying),
    everyMs: tidyEveryMs,
    onError: (error) => report("tidying", "A tidying task failed. It runs again in an hour", error),
  });

/** A start waits for a short command that has the embedded store open, and logs for whom. */
export const waitForHolder = ({ dataWaitMs }: Config, log: CallLog): HolderWait => ({
  ms: dataWaitMs,
  onHeld: (holder) =>
    log.service("Another process has the data directory open: the start waits for it", { process: holder }),
});

/**
 * Opens the storage while the engine loads. If one fails, waits for the other and closes both before it
 * throws: a thread that ends while it loads a network aborts the process, and the exit code is lost.
 */
const openPlacesDuringLoad = async (engine: Engine, config: Config, log: CallLog): Promise<Places> => {
  const places = openPlaces(config, waitForHolder(config, log));
  try {
    await Promise.all([places, engine.pool.ready]);
    return await places;
  } catch (error) {
    await Promise.allSettled([places, engine.pool.ready]);
    await engine.pool.close();
    await places.then(
      ({ close }) => close(),
      () => undefined,
    );
    throw error;
  }
};

const closeModules = async (modules: readonly Module[]): Promise<void> => {
  for (const { close } of modules.toReversed()) await close?.();
};

/**
 * Stops tidying and server, then the jobs, then closes the modules in reverse order. The tidying ends in
 * parallel.
 */
export const makeStop =
  (modules: readonly Module[], server: IdemServer, tidying: Schedule, log: CallLog) =>
  async (): Promise<void> => {
    const jobs = modules.flatMap((module) => module.jobs ?? []);
    await Promise.all([
      tidying.stop(),
      server.drain().then(() => Promise.all(jobs.map(({ stop }) => stop()))),
    ]);
    await closeModules(modules);
    log.service("The service ended", { version });
  };

type Serving = {
  readonly log: CallLog;
  readonly publishedKeys: () => PublishedKeys;
  readonly readLargeBody: BodyThreads["read"];
  /** If absent, the process serves no page. */
  readonly pageDetector?: Uint8Array;
  readonly traces?: Traces;
  /** If false, the role of the process answers no caller, and its server has no endpoint. */
  readonly isWhole: boolean;
};

/**
 * The server with the endpoints, readiness checks and gauges of the modules. Throws as {@link checkComplete}.
 */
export const serve = (
  { config, storage, report }: Pick<Parts, "config" | "storage" | "report">,
  modules: readonly Module[],
  { log, publishedKeys, readLargeBody, pageDetector, traces, isWhole }: Serving,
): IdemServer => {
  const endpoints = modules.flatMap((module) => module.endpoints ?? []);
  if (isWhole) checkComplete(endpoints);
  const answerOnce = modules.find((module) => module.answerOnce)?.answerOnce;
  const readAsset = modules.find((module) => module.readAsset)?.readAsset;
  const findPage = modules.find((module) => module.findPage)?.findPage;
  const mailbox = modules.find((module) => module.mailbox)?.mailbox;
  const metrics = makeMetrics();
  modules.flatMap(({ gauges = [] }) => gauges).forEach(metrics.collect);
  const news = {
    onMissing: (sentence: string, error: unknown) => report("service", `Not ready: ${sentence}`, error),
    onReadyAgain: () => log.service("Ready again", {}),
  };
  const needs = modules.flatMap(({ readiness = [] }) => readiness);
  return buildServer({
    ...serverSettings(config),
    endpoints,
    ...(answerOnce && { answerOnce }),
    ...(readAsset && { readAsset }),
    ...(findPage && { findPage }),
    ...(mailbox && { mailbox }),
    ...(pageDetector && { pageDetector, hasDemo: config.mode !== "production" }),
    keys: { find: refuseForged(storage.store.findApiKey, report), touch: storage.store.touchApiKeys },
    // The embedded store has one process, which counts in memory.
    ...(config.databaseUrl !== undefined && { askRate: storage.store.askRate }),
    metrics,
    log,
    ...(traces && { traces }),
    findUnmet: makeFindUnmet(needs, news, clock),
    isBroken: storage.store.isBroken,
    readPublicKeys: async () => publishedKeys(),
    readLargeBody,
    version,
  });
};

/** Files, policies and lists that a start reads before it creates anything. Made by {@link readIdem}. */
export type StartFiles = Awaited<ReturnType<typeof readIdem>>;

/**
 * Reads models, policies and lists; creates nothing. `sink` gets the death of a thread that holds a list.
 * Throws Error with the next step if the service must not start with these settings.
 */
export const readIdem = async (config: Config, sink: LogSink = makeLogSink(config)) => {
  const files = await readEngineFiles(config);
  const outgoing = openOutgoing(config.egress);
  const policies = {
    facePolicy: await readFacePolicy(config, files.added),
    documentPolicy: await readDocumentPolicy(config),
    documentModels: await openDocumentModels(config),
    registries: await findRegistrySettings(config),
    authorities: await openAuthorities(config, outgoing.egress),
  };
  const liveness = inspectLiveness(config, files.added);
  requireAssurance(liveness);
  // The list is opened last, because its thread is all that a failure would have to close.
  const peps = await openPepList(config, makeReport(makeCallLog(sink, clock, config.logLevel)));
  return { files, policies: { ...policies, peps }, liveness, outgoing };
};

/**
 * Completes the settings with the master key when the store is open, and creates the first one of a
 * development start. Implemented by `settleMasterKey` of the command line.
 */
export type SettleMasterKey = (config: Config, store: Store) => Promise<ReadyConfig>;

type Opening = {
  readonly config: Config;
  readonly startFiles: StartFiles;
  readonly settleMasterKey: SettleMasterKey;
  readonly log: CallLog;
};

type Opened = {
  readonly parts: Parts;
  readonly outgoing: Outgoing;
  readonly publishedKeys: () => PublishedKeys;
  readonly tokenKeysModule: Module;
  /** Tells the parts, which are older, the server whose address links name where there is no public URL. */
  readonly serveWith: (server: IdemServer) => void;
};

const makeReport =
  (log: CallLog): Report =>
  (component, note, error, subject) =>
    log.error({ component, subject, note, error });

/** Opens engine, store and keys. Closes them, and the list that was opened before, if one fails. */
const openParts = async (opening: Opening): Promise<Opened> => {
  const { config, startFiles, log } = opening;
  const { files, policies } = startFiles;
  const report = makeReport(log);
  const onDeath = (cause: unknown): void => report("inference", "An inference thread died", cause);
  try {
    const engine = openEngine(config, files, onDeath, policies.documentModels);
    const places = await openPlacesDuringLoad(engine, config, log);
    return await openWith(opening, { engine, places, report });
  } catch (error) {
    await policies.peps?.close();
    throw error;
  }
};

type Opener = { readonly engine: Engine; readonly places: Places; readonly report: Report };

/**
 * Opens the keys. The master key is settled when nothing else can fail. Closes engine and store if one fails.
 */
const openWith = async (
  { config, startFiles, settleMasterKey, log }: Opening,
  { engine, places, report }: Opener,
): Promise<Opened> => {
  const { policies, outgoing } = startFiles;
  try {
    const ready = await settleMasterKey(config, places.store);
    await openRights(places.store, ready, clock());
    const storage = openStorage(places, ready);
    const tokenKeys = await openHeldKeys(storage.store, ready, clock);
    const openToken = await makeOpenToken(tokenKeys.keys(), config.tokens, tokenKeys.renew);
    let listening: Pick<IdemServer["app"]["server"], "address"> = { address: () => null };
    const baseUrl = makeBaseUrl(config.http.publicUrl, () => listening);
    const tracking = openTracking(ready, storage, baseUrl, engine);
    const recordCall = makeRecordCall(storage.store, tracking.trackCall);
    const hashAuthentication = makeHashAuthentication(storage.keyring);
    const opened = { config: ready, storage, engine, ...policies };
    return {
      parts: {
        ...opened,
        egress: outgoing.egress,
        openToken,
        tokenKey: () => tokenKeys.keys().current,
        reloadTokenKeys: () => tokenKeys.reload(clock()),
        recordCall,
        hashAuthentication,
        ...tracking,
        baseUrl,
        mailbox: openMailbox(clock),
        lock: makeRunLock(),
        clock,
        report,
        note: log.service,
      },
      outgoing,
      publishedKeys: () => publishKeys(tokenKeys.keys()),
      tokenKeysModule: tokenKeys.module,
      serveWith: ({ app }) => {
        listening = app.server;
      },
    };
  } catch (error) {
    await engine.pool.close();
    await places.close();
    throw error;
  }
};

/** Opens the modules and builds the server. Closes the opened modules if one fails. */
const openServer = async (
  { parts, outgoing, publishedKeys, tokenKeysModule, serveWith }: Opened,
  log: CallLog,
  role: Role | undefined,
) => {
  const modules: Module[] = [tokenKeysModule];
  const { peps } = parts;
  if (peps !== undefined) modules.push({ name: "watchlist", gauges: peps.gauges, close: peps.close });
  try {
    const { http, signing } = parts.config;
    // Base64 takes four bytes for three, and half as much again leaves space for line breaks
    // (contract/body-limit.ts).
    const bodyBytesMax = Math.max(http.bodyBytesMax, 1.5 * signing.bytesMax);
    const bodies = openBodyThreads(bodyBytesMax, (cause) =>
      parts.report("http", "A thread that reads bodies died", cause),
    );
    modules.push(outgoing.open(parts.report), bodies.module);
    const traces = openTraces(parts.config, parts.egress, parts.report);
    if (traces !== undefined) modules.push(traces.module);
    await bodies.ready;
    for await (const module of openModules(parts, publishedKeys)) modules.push(partOf(module, role));
    const isWhole = role === undefined || role === "api";
    const server = serve(parts, modules, {
      log,
      publishedKeys,
      readLargeBody: bodies.read,
      ...(traces && { traces: traces.traces }),
      isWhole,
      ...(isWhole && { pageDetector: writePageDetector(await readModelFiles(ledger.blazeface)) }),
    });
    serveWith(server);
    return { modules, server };
  } catch (error) {
    await closeModules(modules);
    throw error;
  }
};

/**
 * Opens engine, store, keys and modules, starts the tidying, and builds the server: of them the part of
 * `role`. Resolves when the server is ready to listen; the jobs start when it listens. A start that fails
 * leaves no thread, no lock and no new key behind.
 */
export const openIdem = async (
  config: Config,
  startFiles: StartFiles,
  settleMasterKey: SettleMasterKey,
  sink: LogSink = makeLogSink(config),
  role?: Exclude<Role, "delivery">,
): Promise<Idem> => {
  const log = makeCallLog(sink, clock, config.logLevel);
  const opened = await openParts({ config, startFiles, settleMasterKey, log });
  const { parts } = opened;
  const { modules, server } = await openServer(opened, log, role);
  const jobs = modules.flatMap((module) => module.jobs ?? []);
  const tidying = startTidying(modules, parts.report);
  return {
    server: startJobsWhenListening(logListening(server, parts.config, startFiles, log), jobs),
    store: parts.storage.store,
    liveness: startFiles.liveness.words,
    stop: makeStop(modules, server, tidying, log),
  };
};
