import type { Command } from "../command.ts";

export const verifyPdfCommand: Command = {
  help: `Usage: idem verify-pdf FILE... [--roots FILE] [--stamp-roots FILE] [--online] [--json]

Verifies every signature and document time-stamp of any signed PDF: what it covers, what changed after it, its PAdES level,
who signed it, when, and until when that can be proven. It needs no service, database, key or setting.

  --roots        PEM file with the certificates that you trust: of authorities of signers and of time-stamps. Without it
                 every signer is unknown, and no time is proven
  --stamp-roots  PEM file with more certificates that you trust, for time-stamps alone
  --online       asks the OCSP responders and CRLs that trusted certificates name for what the file does not hold
  --json         one JSON object for each file, one in a line

Exit code 0: valid. 1: invalid, unsigned or unreadable. 3: indeterminate. 4: whole, but of an unknown signer. 2: a wrong option or file of roots. With several
files the worst counts. What each verdict means: docs/guides/understand/signed-pdf.md`,
  run: async (args) => (await import("./verify-pdf.ts")).runVerifyPdf(args),
};
