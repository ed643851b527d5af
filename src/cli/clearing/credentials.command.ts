import { optionLines, type Words } from "../kit/action.ts";
import { liveOption, tenantOption } from "../kit/options.ts";

const placeOptions = { live: liveOption, tenant: tenantOption } as const;

const setOptions = {
  user: { type: "string", needed: "Name the user: --user NAME", says: "user name, without a colon" },
  "password-from": {
    type: "string",
    says: "environment variable that holds the password, in place of stdin",
  },
  ...placeOptions,
} as const;

export const credentials = {
  help: `Usage: idem clearing credentials set --user NAME [--password-from VARIABLE] [--live] [--tenant NAME] [< FILE]
       idem clearing credentials show [--live] [--tenant NAME]
       idem clearing credentials remove [--live] [--tenant NAME]

set     from now on a certificate of pension clearing asks for this user and password, beside key and token: what the
        interface calls url_usuario and url_clave. The password is read from stdin and stored as a salted hash
show    prints the user name and the time of the last change, never the password
remove  certificates ask for key and token alone

${optionLines(setOptions)}

It works while the service runs, which uses the new credentials at its next call.`,
  topics: {
    set: { options: setOptions },
    show: { options: placeOptions },
    remove: { options: placeOptions },
  },
} as const satisfies Words;
