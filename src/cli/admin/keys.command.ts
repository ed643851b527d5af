import { keyBitsMin } from "#contract/key-strength";
import { scopes as allScopes } from "#contract/scope";
import { keyDaysDefault } from "#trust/tenants/make-key";
import type { Command } from "../command.ts";

export const keys: Command = {
  help: `Usage: idem keys create --scopes A,B [--tenant NAME] [--name TEXT] [--live] [--days N]
       idem keys import --scopes A,B [--tenant NAME] [--name TEXT] [--live] [--days N] < FILE
       idem keys list [--tenant NAME] [--json]
       idem keys renew ID [--overlap HOURS] [--days N] [--tenant NAME]
       idem keys revoke ID [--tenant NAME]
       idem keys rotate

create   creates a key and prints it once on stdout; stores only its hash. Creates the tenant if it does not exist.
import   takes a key of your own from stdin, such as that of another vendor; stores only its hash. The key needs at least
         ${keyBitsMin} random bits by its length and alphabet: 22 letters and digits, or 32 hexadecimal digits. The tenant must
         exist: create it with a key of its own
list     prints the keys of a tenant: id, name, environment, scopes, created, last used, expires, state. A key in the state
         forged was added or changed past the service, and opens nothing
renew    makes a key with the name, environment, scopes and validity of another, and prints it once. The former key ends after the
         overlap, unless it ends earlier
revoke   ends a key; a running service may still accept it for three seconds
rotate   wraps every data key and the token keys under IDEM_MASTER_KEY; until then keep the former master key in IDEM_MASTER_KEY_PREVIOUS

  --tenant   name of the tenant; needed when there are several ("Test tenant" is the first start's)
  --live     a key of the live environment; otherwise of the test environment
  --scopes   what the key may do, comma-separated, of: ${allScopes.join(", ")}; or all: every scope,
             the opening of stored images (token) and the making of keys (key) included. A key of certificates, which the clearing entity gets in an
             address, has the scope certificate alone
  --days     days until it expires; default ${keyDaysDefault}, and of a renewal the validity of the former key
  --overlap  hours for which both keys are valid after a renewal; default 24, 0 ends the former key at once

All of it works while the service runs.`,
  run: async (args) => (await import("./keys.ts")).runKeys(args),
};
