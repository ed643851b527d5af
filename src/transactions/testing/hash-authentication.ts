import { randomBytes } from "node:crypto";
import type { KeyCommands } from "#storage/key-store";
import { makeKeyring } from "#storage/keyring";
import { masterKeyOf } from "#storage/master-key";
import { type HashAuthentication, makeHashAuthentication } from "../authentication-hash.ts";

/** The authentication hashes of a store, under a master key of their own. */
export const openHashAuthentication = (
  store: Pick<KeyCommands, "insertKey" | "findKeys">,
): HashAuthentication => {
  const masters = [masterKeyOf(randomBytes(32))] as const;
  return makeHashAuthentication(makeKeyring({ store, masters, now: () => new Date() }));
};
