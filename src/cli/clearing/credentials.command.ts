import type { Command } from "../command.ts";

export const credentials: Command = {
  help: `Usage: idem clearing credentials set --user NAME [--password-from VARIABLE] [--live] [--tenant NAME] [< FILE]
       idem clearing credentials show [--live] [--tenant NAME]
       idem clearing credentials remove [--live] [--tenant NAME]

set     from now on a certificate of pension clearing asks for this user and password, beside key and token: what the
        interface calls url_usuario and url_clave. The password is read from stdin and stored as a salted hash
show    prints the user name and the time of the last change, never the password
remove  certificates ask for key and token alone

  --user           user name, without a colon
  --password-from  environment variable that holds the password, in place of stdin
  --live           the live environment; otherwise the test environment
  --tenant         name of the tenant; needed when there are several

It works while the service runs, which uses the new credentials at its next call.`,
  run: async (args) => (await import("./credentials.ts")).runCredentials(args),
};
