import type { Command } from "../command.ts";

export const extend: Command = {
  help: `Usage: idem extend FILE --out OUT

Adds fresh certificates, OCSP answers and CRLs for every signature of a PDF, and a document time-stamp over all of it. Do it
before the time that idem verify-pdf names as 'provable until'. No signature is changed, and none is made: the file may be
signed by anyone.

  --out   the extended file; an existing file is replaced

A file with a broken signature is refused, and so is a damaged one: nothing is repaired. Names each signature for which not
everything could be had. It may run beside the service. docs/guides/integrate/signing.md.`,
  run: async (args) => (await import("./extend.ts")).runExtend(args),
};
