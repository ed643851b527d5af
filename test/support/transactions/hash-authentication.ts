import { randomBytes } from "node:crypto";
import { type HashAuthentication, makeHashAuthentication } from "#record/transactions/authentication-hash";
import type { KeyCommands } from "#trust/key-ring/key-store";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";

/** The authentication hashes of a store, under a master key of their own. */
export const openHashAuthentication = (
  store: Pick<KeyCommands, "insertKey" | "findKeys">,
): HashAuthentication => {
  const masters = [masterKeyOf(randomBytes(32))] as const;
  return makeHashAuthentication(makeKeyring({ store, masters, now: () => new Date() }));
};
