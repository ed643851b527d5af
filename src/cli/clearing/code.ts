import { verificationCodeOf } from "#features/clearing/verification-code";
import { CommandError, print } from "../command.ts";
import type { Work } from "../kit/action.ts";
import type * as words from "./code.command.ts";

export const code: Work<typeof words.code> = async (_, uuid) => {
  const found = verificationCodeOf(uuid);
  if (found === undefined) {
    throw new CommandError(`"${uuid}" is no UUID. Send serviceTransactionId as the identity answer has it.`);
  }
  print(found);
  return 0;
};
