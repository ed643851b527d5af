import { optionLines, type Words } from "../kit/action.ts";
import { jsonOption, readEnvironment, tenantOption } from "../kit/options.ts";
import { block, blocked, unblock } from "./block-list.command.ts";
import { importUsers } from "./import.command.ts";

const options = {
  user: { type: "string", needed: "Name the user: --user ID", says: "the caller's identifier of the user" },
  tenant: tenantOption,
  environment: { type: "string", read: readEnvironment, says: "live or test; default: both" },
} as const;

export const users = {
  help: `Usage: idem users show --user ID [--tenant NAME] [--environment live|test] [--json]
       idem users enable --user ID [--tenant NAME] [--environment live|test]
       idem users block | blocked | unblock    faces that must not be enrolled; each has its own --help
       idem users import                       establishes users from a list of images; has its own --help

show     prints the stored data of a user beside the sealed template: environment, state, consecutive failures, date of
         enrolment and of the last template
enable   ends the pause or the disabling after failed attempts, and resets the failures; the tenant's evidence
         keeps an entry

${optionLines(options)}

Users are deleted by DELETE /services/authenticateUser, a whole tenant by idem erase. All of it works
while the service runs.`,
  topics: {
    show: { options: { ...options, json: jsonOption } },
    enable: { options },
    import: importUsers,
    block,
    blocked,
    unblock,
  },
} as const satisfies Words;
