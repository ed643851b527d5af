/** Composition root of a process that only delivers events: no networks, no policies, no endpoints. */
import type { Config } from "#machine/config/config";
import { makeBaseUrl } from "#machine/http/base-url";
import { type CallLog, type LogSink, makeCallLog } from "#machine/http/log";
import type { IdemServer } from "#machine/http/server";
import { publishKeys } from "#trust/tokens/keys";
import { makeLogSink } from "./log-sink.ts";
import type { Module } from "./module.ts";
import { openOutgoing } from "./outgoing.ts";
import type { Report } from "./report.ts";
import { openRights } from "./rights.ts";
import { type Idem, makeStop, type SettleMasterKey, serve, startTidying } from "./service.ts";
import { startJobsWhenListening } from "./start-jobs.ts";
import { openPlaces, openStorage, type ReadyConfig, type Storage } from "./storage.ts";
import { missingStorage } from "./storage-errors.ts";
import { openHeldKeys } from "./token-keys.ts";
import { noImages, openTracking } from "./tracking.ts";
import { openDeliveries } from "./webhooks.ts";

const clock = (): Date => new Date();

/**
 * Opens store and keys, and builds a server for /healthz, /readyz and /metrics. Resolves when the server is
 * ready to listen; the delivery of events starts when it listens.
 */
export const openDeliveryService = async (
  config: Config,
  settleMasterKey: SettleMasterKey,
  sink: LogSink = makeLogSink(config),
): Promise<Idem> => {
  const log = makeCallLog(sink, clock, config.logLevel);
  const places = await openPlaces(config);
  try {
    const ready = await settleMasterKey(config, places.store);
    await openRights(places.store, ready, clock());
    return await openParts(ready, openStorage(places, ready), log);
  } catch (error) {
    await places.close();
    throw error;
  }
};

const openParts = async (config: ReadyConfig, storage: Storage, log: CallLog): Promise<Idem> => {
  const report: Report = (component, note, error, subject) => log.error({ component, subject, note, error });
  const { sealedStore: store, keyring } = storage;
  const tokenKeys = await openHeldKeys(store, config, clock);
  let listening: Pick<IdemServer["app"]["server"], "address"> = { address: () => null };
  const baseUrl = makeBaseUrl(config.http.publicUrl, () => listening);
  const { linkToAsset } = openTracking(config, storage, baseUrl, noImages);
  const outgoing = openOutgoing(config.egress);
  const { egress } = outgoing;
  const common = { config, egress, store, keyring, linkToAsset, clock, report, note: log.service };
  const { loop, gauges } = openDeliveries({ ...common, isDeliveryOnly: true });
  const storing: Module = {
    name: "storage",
    readiness: [{ missing: missingStorage("the store"), check: store.ping }],
    close: storage.close,
  };
  const modules: readonly Module[] = [
    storing,
    outgoing.open(report),
    tokenKeys.module,
    { name: "webhooks", jobs: [loop], gauges },
  ];
  const server = serve({ config, storage, report }, modules, {
    log,
    publishedKeys: () => publishKeys(tokenKeys.keys()),
    readLargeBody: () => Promise.reject(new Error("A process that delivers takes no call")),
    isWhole: false,
  });
  listening = server.app.server;
  return {
    server: startJobsWhenListening(server, [loop]),
    store: storage.store,
    liveness: "not judged by this process",
    stop: makeStop(modules, server, startTidying([], report), log),
  };
};
