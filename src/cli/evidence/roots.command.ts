import type { Command } from "../command.ts";

export const writeRoots: Command = {
  help: `Usage: idem evidence roots --out FILE

Writes the root certificates (PEM) to which the signer of bundles and the time-stamp authorities of this deployment lead. The
receiver of a bundle needs them for idem evidence verify --roots FILE. Hand them out by a way that the receiver trusts, and
not beside the bundle: who can exchange both can exchange the proof. It reads alone, and may run beside the service.

  --out   the file; an existing file is replaced`,
  run: async (args) => (await import("./roots.ts")).runWriteRoots(args),
};
