import { extensionKnown } from "#app/signing";
import { openPdf } from "#features/signing/pdf/open-pdf";
import { refuseBroken } from "#features/signing/verify/refuse-broken";
import { extendProven } from "#features/signing/verify/sign-proven";
import { parseOptions, print, type Run, say } from "../command.ts";
import { changePdf } from "./open-signing.ts";
import { filesOf } from "./sign.ts";

export const runExtend: Run = async (args) => {
  const { values, positionals } = parseOptions(args, { out: { type: "string" } }, true);
  const files = filesOf("extend", positionals, values.out);
  const bytes = await changePdf(files, { repairs: false }, async (sent, { terms, ports }) => {
    const request = { hash: terms.signer.hash, known: extensionKnown(terms), now: new Date() };
    const opened = await openPdf(sent, { limits: { bytesMax: terms.bytesMax } });
    await refuseBroken(sent, request.now);
    const { parts, gaps } = await extendProven(opened, request, ports);
    for (const { fieldName, reason } of gaps) say(`${fieldName}: no fresh validation data, ${reason}`);
    return parts;
  });
  print(`${files.out}: ${bytes} bytes`);
  return 0;
};
