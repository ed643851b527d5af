import { importedKeyLengthMax, looksLikeApiKey, mayBeApiKey } from "#contract/api-key";
import type { Caller } from "#contract/endpoint";
import { keyBitsMin, keyBitsOf } from "#contract/key-strength";
import { CommandError } from "../command.ts";

/** A key and a line end; a longer input is no key. */
const inputBytesMax = importedKeyLengthMax + 2;

/**
 * Reads the one key that a command gets on stdin, without its line end. Throws CommandError for a key that is
 * no text of one line, can be guessed, or could never be found; no message holds a part of the key.
 */
export const readImportedKey = async (
  input: AsyncIterable<Uint8Array | string> & { readonly isTTY?: boolean },
  environment: Caller["environment"],
): Promise<string> => {
  if (input.isTTY === true) {
    throw new CommandError(
      "Hand the key over on stdin, so that no history keeps it: idem keys import … < FILE",
    );
  }
  const key = (await readBounded(input)).replace(/\r?\n$/, "");
  const problem = problemOf(key, environment);
  if (problem !== undefined) throw new CommandError(`${problem} Nothing was stored.`);
  return key;
};

const readBounded = async (input: AsyncIterable<Uint8Array | string>): Promise<string> => {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of input) {
    parts.push(Buffer.from(part));
    length += part.length;
    if (length > inputBytesMax) break;
  }
  return Buffer.concat(parts).toString("utf8");
};

const problemOf = (key: string, environment: Caller["environment"]): string | undefined => {
  if (key === "") return "Stdin holds no key.";
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > importedKeyLengthMax) {
    return `A key is one line of at most ${importedKeyLengthMax} printable ASCII characters without spaces.`;
  }
  if (key.startsWith("idem_") && !looksLikeApiKey(key)) {
    return "The key begins as a key of Idem does, but its checksum is wrong.";
  }
  if (looksLikeApiKey(key) && !key.startsWith(`idem_${environment}_`)) {
    return "The key names the other environment: add or leave out --live.";
  }
  const bits = keyBitsOf(key);
  return bits < keyBitsMin || !mayBeApiKey(key)
    ? `By its length and alphabet the key holds at most ${bits} random bits of at least ${keyBitsMin}: it can be guessed.`
    : undefined;
};
