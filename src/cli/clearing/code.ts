import { verificationCodeOf } from "#features/clearing/verification-code";
import { type Command, CommandError, parseOptions, print, UsageError } from "../command.ts";

export const code: Command = {
  help: `Usage: idem clearing code UUID

Prints codigo_verificacion of a serviceTransactionId: its 16 bytes in URL-safe Base64 without padding, 22 characters. It needs no
service and no settings.

Example: idem clearing code 2db602ee-3564-4304-af95-92a52eaae12d`,
  run: async (args) => {
    const [uuid, ...others] = parseOptions(args, {}, true).positionals;
    if (uuid === undefined || others.length > 0) {
      throw new UsageError("Name one transaction: idem clearing code UUID");
    }
    const found = verificationCodeOf(uuid);
    if (found === undefined) {
      throw new CommandError(
        `"${uuid}" is no UUID. Send serviceTransactionId as the identity answer has it.`,
      );
    }
    print(found);
    return 0;
  },
};
