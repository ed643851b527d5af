import type { Command } from "../command.ts";

export const document: Command = {
  help: `Usage: idem sandbox document --country ECU --index 7 --out DIR [--specimen]

Writes front and back of the person's card, photographed on a table, and a selfie, as JPEG, and prints the paths. The card says
that it is artificial. With --specimen it carries the word of issuers, which a validation answers with reason 508.`,
  run: async (args) => (await import("./document-command.ts")).runDocument(args),
};
