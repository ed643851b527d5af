/** Composition of traces: their queue, and the collector that gets them. */
import { randomBytes, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { version } from "#contract/version";
import type { Config } from "#machine/config/config";
import type { Egress } from "#machine/egress/egress";
import { makeExport } from "#machine/traces/export";
import { makeTraces, type RunningTraces } from "#machine/traces/traces";
import { startSchedule } from "#record/jobs/schedule";
import type { Module } from "./module.ts";
import type { Report } from "./report.ts";

/** Spans wait at most this long. */
const flushEveryMs = 5_000;
/** Time for the spans that wait when the service ends. */
const lastMsMax = 2_000;
/** A collector that is down fails every batch: one line a minute is enough. */
const reportEveryMs = 60_000;

/** Traces as a module, and the side that the server uses; undefined without `IDEM_TRACES_URL`. */
export const openTraces = (
  { traces: settings }: Pick<Config, "traces">,
  egress: Egress,
  report: Report,
): { readonly module: Module; readonly traces: RunningTraces } | undefined => {
  if (settings === undefined) return undefined;
  const traces = makeTraces({
    exportSpans: makeExport({
      egress,
      url: settings.url,
      authorization: settings.authorization,
      resource: { version, instance: `${hostname()}/${randomUUID()}` },
    }),
    percent: settings.percent,
    random: Math.random,
    newHex: (bytes) => randomBytes(bytes).toString("hex"),
    onError: thinned((error) => report("traces", "Spans could not be exported", error)),
  });
  const schedule = startSchedule({
    tasks: [traces.flush],
    everyMs: flushEveryMs,
    onError: (error) => report("traces", "Spans could not be exported", error),
  });
  // A collector that hangs delays no end.
  const close = async (): Promise<void> =>
    await Promise.race([schedule.stop().then(traces.flush), wait(lastMsMax, undefined, { ref: false })]);
  return { module: { name: "traces", gauges: traces.gauges, close }, traces };
};

const thinned = (take: (error: unknown) => void): ((error: unknown) => void) => {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - lastMs < reportEveryMs) return;
    lastMs = performance.now();
    take(error);
  };
};
