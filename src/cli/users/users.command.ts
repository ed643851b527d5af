import type { Command } from "../command.ts";

export const users: Command = {
  topics: {
    block: async () => (await import("./block-list.command.ts")).block,
    blocked: async () => (await import("./block-list.command.ts")).blocked,
    unblock: async () => (await import("./block-list.command.ts")).unblock,
    import: async () => (await import("./import.command.ts")).importUsers,
  },
  help: `Usage: idem users show --user ID [--tenant NAME] [--environment live|test] [--json]
       idem users enable --user ID [--tenant NAME] [--environment live|test]
       idem users block | blocked | unblock    faces that must not be enrolled; each has its own --help
       idem users import                       establishes users from a list of images; has its own --help

show     prints the stored data of a user beside the sealed template: environment, state, consecutive failures, date of
         enrolment and of the last template
enable   ends the pause or the disabling after failed attempts, and resets the failures; the tenant's evidence
         keeps an entry

  --user         the caller's identifier of the user
  --tenant       name of the tenant; needed when there are several
  --environment  live or test; default: both

Users are deleted by DELETE /services/authenticateUser, a whole tenant by idem erase. All of it works
while the service runs.`,
  run: async (args) => (await import("./users.ts")).runUsers(args),
};
