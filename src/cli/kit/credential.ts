import { CommandError } from "../command.ts";

/** More than any credential, and a line end. */
const inputBytesMax = 8_194;

type Input = AsyncIterable<Uint8Array | string> & { readonly isTTY?: boolean };

/**
 * The credential of a destination: from the named environment variable, else from stdin, without its line
 * end. No message holds a part of it.
 */
export const readCredential = async (
  input: Input,
  environment: NodeJS.ProcessEnv,
  variable: string | undefined,
): Promise<string> => {
  if (variable !== undefined) {
    const value = environment[variable];
    if (value === undefined || value === "") {
      throw new CommandError(`The environment variable ${variable} of --credential-from is not set.`);
    }
    return value;
  }
  if (input.isTTY === true) {
    throw new CommandError(
      "Hand the key or client secret over on stdin, so that no history keeps it (idem webhooks add … < FILE), or name an environment variable: --credential-from NAME",
    );
  }
  const text = (await readBounded(input)).replace(/\r?\n$/, "");
  if (text === "") throw new CommandError("Stdin holds no key or client secret. Nothing was stored.");
  return text;
};

const readBounded = async (input: Input): Promise<string> => {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of input) {
    parts.push(Buffer.from(part));
    length += part.length;
    if (length > inputBytesMax)
      throw new CommandError("Stdin holds more than one key or client secret. Nothing was stored.");
  }
  return Buffer.concat(parts).toString("utf8");
};
