import type { Command } from "../command.ts";

export const signer: Command = {
  help: `Usage: idem signer check [--json]

Opens the signer of the settings, signs a probe message and verifies it, asks each time-stamp authority for a stamp, and asks
for the status of each certificate (OCSP, CRL). Prints a line for each: the finding, and the next step where something is
wrong. Nothing is kept. A remote signer may count the signature.

  --json   one JSON object: { "ok", "level", "checks": [{ "subject", "ok", "found", "nextStep" }] }

Exit code 0: all is well. 1: a line is red. It may run beside the service. docs/guides/integrate/signing.md.`,
  run: async (args) => (await import("./signer.ts")).runSigner(args),
};
