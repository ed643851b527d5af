import type { Command } from "../command.ts";

export const benchStore: Command = {
  help: `Usage: idem bench store [--days N] [--calls N] [--postgres URL] [--json]

Fills a store with the calls of a month through the commands of the service: calls about faces with their sealed
measurements, enrolments, document validations with images, evidence and velocity events. Prints the size of each table,
the time of each list, of a verification of the evidence, and of the removal of one day. Keep the machine idle; a month
takes some minutes. Without --postgres it works in a fresh temporary folder and leaves nothing.

  --days       days of calls, default 30
  --calls      calls of a day, default 10000
  --postgres   URL of an empty PostgreSQL database, which is filled and left as it is
  --json       one JSON object on stdout instead of the tables`,
  run: async (args) => (await import("./store.ts")).runBenchStore(args),
};
