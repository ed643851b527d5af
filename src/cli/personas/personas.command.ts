import type { Command } from "../command.ts";

export const personas: Command = {
  help: `Usage: idem personas list [--json]
       idem personas download --out DIR [NAME...]

list      prints every persona: name, who decides on it, the values that it produces
download  draws the images of all personas, or of those that are named, and writes them with their calls to DIR/NAME/. It needs
          no service. Send the bytes unchanged: a mark in their metadata names the persona

  --json    list: one JSON object for each persona, one line each
  --out     download: a folder, which is made where there is none

Images show no person: they are drawn. Test keys alone take them (docs/guides/start/sandbox.md).`,
  run: async (args) => (await import("./personas.ts")).runPersonas(args),
};
