import type { Command } from "../command.ts";

export const bench: Command = {
  topics: {
    search: async () => (await import("./search.command.ts")).benchSearch,
    documents: async () => (await import("./documents.command.ts")).benchDocuments,
    store: async () => (await import("./store.command.ts")).benchStore,
    webhooks: async () => (await import("./webhooks.command.ts")).benchWebhooks,
    registry: async () => (await import("./registry.command.ts")).benchRegistry,
    signing: async () => (await import("./signing.command.ts")).benchSigning,
  },
  help: `Usage: idem bench [--calls N] [--work NAME] [--json]
       idem bench --soak N
       idem bench search          one-to-many search; it has its own --help
       idem bench documents       MRZ and printed fields, compared with tesseract.js; it has its own --help
       idem bench store           sizes and times of a store with a month of calls; it has its own --help
       idem bench webhooks        deliveries to webhooks, counted at the receiver; it has its own --help
       idem bench registry        import into a local civil registry and questions to it; it has its own --help
       idem bench signing         signatures of PDF documents; it has its own --help

Starts the service in a fresh temporary directory and measures each kind of work with 1 and with 8 callers: p50, p95, p99,
requests per second, CPU per call, longest event-loop stall and 99.9th percentile of the event loop's delays, resident
memory, and two ratios to the image decodes and model runs that a call needs, timed in the same run: of the end-to-end p50, and of the
processor time (CPU ratio; with 8 callers to the model runs with 1 caller).
Linux only. Keep the machine idle.

  --calls   calls per measurement, default 80
  --work    this kind of work alone, by its name in the table, such as "2 x 12 MP"
  --soak    instead: N calls of liveness and identity, resident memory at ten points, and its slope
  --json    one JSON object on stdout instead of the table`,
  run: async (args) => (await import("./bench.ts")).runBench(args),
};
