import { optionLines, type Words } from "../kit/action.ts";
import { environmentOption, jsonOption, tenantOption } from "../kit/options.ts";

const options = {
  csv: { type: "string", needed: "Name the list: --csv FILE", says: "the list" },
  environment: { ...environmentOption, says: "environment of the users" },
  root: { type: "string", says: "folder of relative image paths; default: the folder of the list" },
  json: {
    ...jsonOption,
    says: 'one JSON object for each refused row {"line", "reason"}, and one with the counts at the end',
  },
  tenant: tenantOption,
} as const;

export const importUsers = {
  help: `Usage: idem users import --csv FILE --environment live|test [--tenant NAME] [--root DIR] [--json]

Establishes a user for each row of a CSV file (UTF-8, commas or semicolons) with the columns userId and image. A header
decides their order, and other columns are ignored; without one, each row has these two cells. The image is a JPEG, PNG, WebP or AVIF with the user's face alone. You vouch for it: no liveness is judged. Blocked faces are
refused, and duplicates as IDEM_DUPLICATES says.

A user who is registered already stays as it is. So the command may be repeated: after an interruption it goes on, and
no user is established twice. Refused rows go to stdout with their line and reason; correct them and run it again. Exit
code 1: rows were refused.

${optionLines(options)}

It works while the service runs, and loads the networks once more: leave 1 GB of memory for it.`,
  options,
} as const satisfies Words;
