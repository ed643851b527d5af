import { documentTypesV2 } from "#contract/document-type";
import type { Command } from "../command.ts";
import { unjudgedCode } from "./exit-code.ts";
import { exitCodes, listOptions } from "./help.ts";

export const verify: Command = {
  help: `Usage: idem verify --selfie IMAGE --document IMAGE [--back IMAGE] [--country CHL] [--type ID_CARD] [--json] [--html FILE]
       idem verify --list CSV --out CSV [--root DIR] [--html FILE]

Verifies a person by document and selfie as POST /verify/v1/verifications does, without a service: same engines, same judges,
same policies, nothing stored. What needs a store is not asked: registered users, block lists, other customers, watchlists,
civil registries.

  --back IMAGE   the other side of a card
  --country, --type
                 the document that you expect, type one of ${documentTypesV2.join(", ")};
                 without them the document is taken as found
  --json         print every figure as JSON
  --html FILE    write a report with the images
${listOptions("selfie,document and, optionally, back, country, type and expected (approved or rejected)")}
${exitCodes({ positive: "approved", negative: "rejected", unjudged: "retry, review or error" })}`,
  failedCode: unjudgedCode,
  run: async (args) => (await import("./verify.ts")).runVerify(args),
};
