import { verificationCodeOf } from "#features/clearing/verification-code";
import { CommandError, parseOptions, print, type Run, UsageError } from "../command.ts";

export const runCode: Run = async (args) => {
  const [uuid, ...others] = parseOptions(args, {}, true).positionals;
  if (uuid === undefined || others.length > 0) {
    throw new UsageError("Name one transaction: idem clearing code UUID");
  }
  const found = verificationCodeOf(uuid);
  if (found === undefined) {
    throw new CommandError(`"${uuid}" is no UUID. Send serviceTransactionId as the identity answer has it.`);
  }
  print(found);
  return 0;
};
