import { type Command, wrongAction } from "../command.ts";

export const evidence: Command = {
  topics: {
    verify: async () => (await import("./verify.command.ts")).verifyEvidenceCommand,
    export: async () => (await import("./export.command.ts")).exportEvidence,
    roots: async () => (await import("./roots.command.ts")).writeRoots,
  },
  help: `Usage: idem evidence verify [--tenant NAME] [--against FILE] [--ca FILE] [--json]
       idem evidence verify FILE [--against FILE] [--ca FILE] [--roots FILE] [--json]
       idem evidence export --tenant NAME [--since SEQ] --out FILE [--json]
       idem evidence export --operation ID --out FILE [--tenant NAME] [--environment live|test] [--images] [--anyway]
       idem evidence roots --out FILE

Each command has its own --help. What the evidence proves: docs/guides/understand/evidence.md`,
  run: async ([given]) => {
    throw wrongAction("evidence", given, ["verify", "export", "roots"]);
  },
};
