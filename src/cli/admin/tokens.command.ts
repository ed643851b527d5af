import { tokenKinds } from "#trust/tokens/envelope";
import type { TokenKind } from "#trust/tokens/token";
import { UsageError } from "../command.ts";
import { optionLines, type Words } from "../kit/action.ts";

const kind = {
  type: "string",
  read: (text: string): TokenKind => {
    const found = tokenKinds.find((known) => known === text);
    if (found !== undefined) return found;
    throw new UsageError(`Unknown kind "${text}". Kinds: ${tokenKinds.join(", ")}`);
  },
  says: `${tokenKinds.join(", ")}; open uses the kind that the token names`,
} as const;

const sealOptions = {
  kind: { ...kind, needed: `Name the kind: --kind ${tokenKinds.join(" | ")}` },
  url: { type: "string", says: "base address of a service, such as http://127.0.0.1:8080" },
} as const;

const whichFile = 'Name a file, or "-" for standard input';

export const tokens = {
  help: `Usage: idem tokens seal FILE --kind KIND [--url URL]
       idem tokens open FILE [--kind KIND]
       idem tokens rotate

seal     prints a token that holds FILE ("-": standard input), sealed to this deployment's key, or with --url to the
         key that a running service publishes
open     writes the content of a token of this deployment to stdout; checks kind and age as the service does. It leaves
         no transaction, evidence or log line and does not consume the token: its operator holds the master key and
         could open the token anyway. To open a token with a trace, call /services/detokenize
rotate   makes a new key pair. Tokens sealed to the former pair stay readable until the next rotation, templates for
         good. Running services use and publish the new pair at once on the embedded store, on PostgreSQL within
         two seconds

${optionLines(sealOptions)}

All of them work while the service runs.`,
  topics: {
    seal: { options: sealOptions, takes: whichFile },
    open: { options: { kind }, takes: whichFile },
    rotate: { options: {} },
  },
} as const satisfies Words;
