import type { Command } from "../command.ts";

export const doctor: Command = {
  help: `Usage: idem doctor

Checks Node, settings, data directory, free disk, master key, store, due deliveries, stored objects, S3, port, proxies, models, face cohort,
liveness quality, clearing, document models, document provider, signer, registries, and clock. Prints a line for each: the finding, and the next step where something is
wrong. Ends with 1 when a line is red.

It changes nothing and may run beside a service. To test write access it puts an empty file into the data directory and
an object under the prefix of the bucket, and removes both; it rolls back its write to the database.`,
  run: async (args) => (await import("./doctor.ts")).runDoctor(args),
};
