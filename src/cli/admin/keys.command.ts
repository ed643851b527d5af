import { keyBitsMin } from "#contract/key-strength";
import { optionLines, type Words } from "../kit/action.ts";
import { jsonOption } from "../kit/options.ts";
import { newKeyOptions, renewalOptions } from "./key-options.ts";

const { tenant } = newKeyOptions;

export const keys = {
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

${optionLines({ ...newKeyOptions, ...renewalOptions, days: newKeyOptions.days })}

All of it works while the service runs.`,
  topics: {
    create: { options: newKeyOptions },
    import: { options: newKeyOptions },
    list: { options: { tenant, json: jsonOption } },
    renew: { options: renewalOptions, takes: "Name the key: idem keys renew ID" },
    revoke: { options: { tenant }, takes: "Name the key: idem keys revoke ID" },
    rotate: { options: {} },
  },
} as const satisfies Words;
