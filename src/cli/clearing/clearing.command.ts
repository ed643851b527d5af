import type { Words } from "../kit/action.ts";
import { callbacks } from "./callbacks.command.ts";
import { code } from "./code.command.ts";
import { credentials } from "./credentials.command.ts";
import { transfer } from "./transfer.command.ts";

export const clearing = {
  help: `Usage: idem clearing code UUID        the verification code of a transaction
       idem clearing transfer …       transfers; it has its own --help
       idem clearing callbacks        callbacks of the older flow
       idem clearing credentials …    what a certificate asks for beside its key; it has its own --help

More: docs/guides/integrate/clearing.md`,
  topics: { credentials, code, callbacks, transfer },
} as const satisfies Words;
