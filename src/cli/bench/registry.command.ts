import type { Command } from "../command.ts";

export const benchRegistry: Command = {
  help: `Usage: idem bench registry [--persons N] [--rows N] [--photos N] [--calls N] [--postgres URL] [--json]

Imports generated persons into a local civil registry as idem registry import does, once more without a change, and with photos. Then it fills
the table with random rows of the same size.
Asks for persons that are held and that are not, through the connector: hash, command, opening of the seals. Then it starts a service and
compares civil validations with comparisons of the same faces. Without --postgres it works in a fresh temporary folder and leaves nothing.
Times are those of the clock and, behind them, of the processors that this process used; PostgreSQL's own are not in them. Linux only.

  --persons   imported persons, default 100000
  --rows      rows of the table, default 1000000
  --photos    persons with a photo of 1 MP, default 500
  --calls     civil validations in each of five rounds, default 40; 0 for none
  --postgres  URL of an empty PostgreSQL database, which is filled and left as it is
  --json      one JSON object on stdout instead of the table`,
  run: async (args) => (await import("./registry.ts")).runBenchRegistry(args),
};
