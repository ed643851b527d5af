import { UsageError } from "../command.ts";
import { optionLines, type Words } from "../kit/action.ts";
import { jsonOption } from "../kit/options.ts";
import { serviceOptions } from "../kit/service/service-options.ts";

/** Milliseconds of an option in seconds. */
const readWait = (text: string): number => {
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= 86_400) return seconds * 1000;
  throw new UsageError(`--wait is "${text}". Set it to whole seconds from 0 to 86400`);
};

const service = {
  json: { ...jsonOption, says: "the answer of the service as one line of JSON" },
  ...serviceOptions("with the scope clearing"),
} as const;

const wait = {
  type: "string",
  default: "120",
  read: readWait,
  says: "seconds to follow the transfer, 0 to 86400; default 120. The transfer goes on without this command",
} as const;

const startOptions = {
  scan: {
    type: "string",
    needed: "Name the document validation: --scan REFERENCE",
    says: "reference of the document validation",
  },
  "first-name": { type: "string" },
  "paternal-surname": { type: "string" },
  "maternal-surname": { type: "string" },
  rut: { type: "string" },
  "second-verification": { type: "boolean", says: "asks the entity for a second verification" },
  wait,
  ...service,
} as const;

const whichTransfer = <const Action extends string>(action: Action) =>
  `Name the transfer: idem clearing transfer ${action} ID` as const;

export const transfer = {
  help: `Usage: idem clearing transfer TRANSACTION --scan REFERENCE [affiliate] [--second-verification]
       idem clearing transfer list
       idem clearing transfer show ID
       idem clearing transfer resume ID [--ticket TEXT | --without-ticket]
       idem clearing transfer abandon ID

Runs over the running service, which does the work: it stores each step, so that a transfer survives this command and the service.
TRANSACTION is serviceTransactionId of the identity answer, REFERENCE scanReference of the document validation.

list        prints the newest transfers
show        prints one with its ticket and token
resume      goes on with a refused or unclear transfer. One without a ticket needs what the entity told you: its ticket, or that it
            made none
abandon     ends it: the transaction may have another transfer then

Affiliate, where the document does not show it:
  --first-name, --paternal-surname, --maternal-surname, --rut

${optionLines(startOptions)}

Exit code 0: the transfer has its token, or the action was done. 1: it was refused, is unclear, or still waits.`,
  options: startOptions,
  takes: true,
  topics: {
    list: { options: service },
    show: { options: service, takes: whichTransfer("show") },
    resume: {
      options: { ticket: { type: "string" }, "without-ticket": { type: "boolean" }, wait, ...service },
      takes: whichTransfer("resume"),
    },
    abandon: { options: service, takes: whichTransfer("abandon") },
  },
} as const satisfies Words;
