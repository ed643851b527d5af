import { extensionKnown } from "#app/signing";
import { extendPdf } from "#features/signing/pades/extend-pdf";
import { openPdf } from "#features/signing/pdf/open-pdf";
import { refuseBroken } from "#features/signing/verify/refuse-broken";
import { type Command, parseOptions, print, say } from "../command.ts";
import { changePdf } from "./open-signing.ts";
import { filesOf } from "./sign.ts";

export const extend: Command = {
  help: `Usage: idem extend FILE --out OUT

Adds fresh certificates, OCSP answers and CRLs for every signature of a PDF, and a document time-stamp over all of it. Do it
before the time that idem verify-pdf names as 'provable until'. No signature is changed, and none is made: the file may be
signed by anyone.

  --out   the extended file; an existing file is replaced

A file with a broken signature is refused. Names each signature for which not everything could be had. It may run beside the service. docs/guides/signing.md.`,
  run: async (args) => {
    const { values, positionals } = parseOptions(args, { out: { type: "string" } }, true);
    const { file, out } = filesOf("extend", positionals, values.out);
    const bytes = await changePdf(file, out, async (sent, { terms, ports }) => {
      const request = { hash: terms.signer.hash, known: extensionKnown(terms), now: new Date() };
      const opened = await openPdf(sent, { limits: { bytesMax: terms.bytesMax } });
      await refuseBroken(sent, request.now);
      const { parts, gaps } = await extendPdf(opened, request, ports);
      for (const { fieldName, reason } of gaps) say(`${fieldName}: no fresh validation data, ${reason}`);
      return parts;
    });
    print(`${out}: ${bytes} bytes`);
    return 0;
  },
};
