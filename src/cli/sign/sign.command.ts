import type { Command } from "../command.ts";

export const sign: Command = {
  help: `Usage: idem sign FILE --out OUT [--reason TEXT] [--location TEXT] [--certify 1|2|3]

Signs a PDF invisibly as PAdES baseline, at the level of IDEM_SIGNING_LEVEL, with the signer and the time-stamp
authorities of the settings. Earlier signatures stay valid; a file with a broken one is refused. So is
one of which a page lost its content, or that is readable only after a repair (IDEM_SIGNING_REPAIR). The signature rests on no
authentication of a person: for that, call POST /services/digitalSign.

  --out        the signed file; an existing file is replaced
  --reason     text of the signature dictionary
  --location   text of the signature dictionary
  --certify    certifies the file: 1 allows no change, 2 form filling, 3 annotations too

It may run beside the service. docs/guides/integrate/signing.md.`,
  run: async (args) => (await import("./sign.ts")).runSign(args),
};
