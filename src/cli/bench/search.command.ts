import type { Command } from "../command.ts";

export const benchSearch: Command = {
  help: `Usage: idem bench search [--enrolments N] [--templates N] [--json]

Enrols users through the store, fills the galleries from it and searches them; then fills and searches a gallery of many
faces. The faces are synthetic vectors; their cosines are distributed as those of different people of LFW. Every answer
is checked by comparing the probe with every face. Keep the machine idle; a million faces take some minutes and 1.4 GB.

  --enrolments  users to enrol through the store, default 10000
  --templates   faces of the large gallery, default 1000000
  --json        one JSON object on stdout instead of the tables`,
  run: async (args) => (await import("./search.ts")).runBenchSearch(args),
};
