import type { Command } from "../command.ts";

export const benchSigning: Command = {
  help: `Usage: idem bench signing [--runs N] [--json]

Signs drawn documents with keys, certificates, time-stamps and OCSP answers of a development authority in the same process:
p50, p95, signatures per second, bytes added, peak memory above idle, and the event loop's 99.9th percentile while a thread
signs 50 MB. In the same run poppler's pdfsig signs where it is installed; it makes B-B only and starts a process each time.
Keep the machine idle.

  --runs   signatures of a small file for each row, default 100; large files take a tenth of it
  --json   one JSON object on stdout instead of the table`,
  run: async (args) => (await import("./signing.ts")).runBenchSigning(args),
};
