import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type Collector = {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** Values at the time of the scrape. No label may name a person, key or tenant. */
  readonly read: () => readonly {
    readonly labels?: Readonly<Record<string, string>>;
    readonly value: number;
  }[];
};

export type Metrics = {
  readonly callStarted: () => void;
  readonly callFinished: (route: string, status: number, seconds: number) => void;
  readonly failureMet: (route: string, failure: string) => void;
  /** Adds a gauge of another module: queue lengths, model times, job counts. */
  readonly collect: (collector: Collector) => void;
  /** Text in the Prometheus exposition format, with its content type. */
  readonly write: () => Promise<{ readonly contentType: string; readonly text: string }>;
};

/** Bounds in seconds. Runs of networks take 0.1 to 1; the rest of the interface is far below. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 2, 5, 10, 30];

/** Period of the samplers of the event loop. */
const samplingMs = 5;

/** The default metrics end at the 99th percentile; a stall of one large call among many is rarer. */
const rareDelay = (): Collector => {
  const delays = monitorEventLoopDelay({ resolution: samplingMs });
  delays.enable();
  return {
    name: "idem_eventloop_lag_p999_seconds",
    help: "99.9th percentile of the event loop's lag since the last scrape, with the sampler's 5 ms",
    read: () => {
      const value = delays.percentile(99.9) / 1e9;
      delays.reset();
      return [{ value }];
    },
  };
};

/** Metrics of one process in their own registry. Labels are route names, statuses and failure codes only. */
export const makeMetrics = (): Metrics => {
  const registry = new Registry();
  // Event-loop lag, memory, garbage collection, CPU. The lag includes the sampler's period of 5 ms, so the
  // value is at most 5 ms above the stall. The service promises stalls of at most 20 ms.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: samplingMs });
  addGauge(registry, rareDelay());
  const registers = [registry];
  const seconds = new Histogram({
    name: "idem_http_request_duration_seconds",
    help: "Time from the first byte of a request to its answer",
    labelNames: ["route", "status"],
    buckets,
    registers,
  });
  const inFlight = new Gauge({
    name: "idem_http_requests_in_flight",
    help: "Requests being answered",
    registers,
  });
  const failures = new Counter({
    name: "idem_http_failures_total",
    help: "Declared failures that were answered",
    labelNames: ["route", "failure"],
    registers,
  });
  return {
    callStarted: () => inFlight.inc(),
    callFinished: (route, status, duration) => {
      inFlight.dec();
      seconds.observe({ route, status: String(status) }, duration);
    },
    failureMet: (route, failure) => failures.inc({ route, failure }),
    collect: (collector) => addGauge(registry, collector),
    write: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
};

const addGauge = (registry: Registry, { name, help, labels = [], read }: Collector): void => {
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    collect: () => {
      gauge.reset();
      for (const { labels: values = {}, value } of read()) gauge.set(values, value);
    },
  });
};
