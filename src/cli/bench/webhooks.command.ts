import type { Command } from "../command.ts";

export const benchWebhooks: Command = {
  help: `Usage: idem bench webhooks [--deliveries N] [--seconds N] [--postgres URL] [--json]

Commits events through the commands of the service and delivers them with its own loop to a receiver in a process of its
own, which answers after 5 ms: deliveries per second to 50 destinations, the 99th percentile from commit to arrival at 200
events a second, and the cost of one destination that never answers to the other 49. Counts lost and repeated events at
the receiver. Works in a fresh temporary folder. Keep the machine idle.

  --deliveries   deliveries of a throughput run, default 20000
  --seconds      seconds at 200 events a second, default 20
  --postgres     URL of an empty PostgreSQL database, measured too; it is filled and left as it is
  --json         one JSON object on stdout instead of the table`,
  run: async (args) => (await import("./webhooks.ts")).runBenchWebhooks(args),
};
