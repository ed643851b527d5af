import { optionLines, type Words } from "../kit/action.ts";
import { jsonOption, noteOption, readEnvironment, tenantOption } from "../kit/options.ts";

const blockOptions = {
  image: { type: "string", says: "a file with the face, JPEG, PNG, WebP or AVIF" },
  user: { type: "string", says: "blocks the template of a registered user" },
  environment: {
    type: "string",
    read: readEnvironment,
    says: "environment of the entry; default for a user: each environment with a registration",
  },
  note: noteOption,
  tenant: tenantOption,
} as const;

export const block = {
  help: `Usage: idem users block --image FILE --environment live|test [--note TEXT] [--tenant NAME]
       idem users block --user ID [--environment live|test] [--note TEXT] [--tenant NAME]

A match with a blocked face refuses an enrolment, and a document with such a face is not approved. The face is stored as
a registered template: sealed and without the image. Prints the id of the entry; unblock takes it. The same image or
template again keeps its entry. A blocked user stays registered; to end that too, delete the user.

${optionLines(blockOptions)}

It works while the service runs, which applies the list within two seconds.`,
  options: blockOptions,
} as const satisfies Words;

export const blocked = {
  help: `Usage: idem users blocked [--tenant NAME] [--json]

Prints the blocked faces of a tenant: id, environment, date, state, and note. An outdated face belongs to another
recogniser, a damaged face cannot be opened. Neither can match, and no user is enrolled in its environment until it is
unblocked. Block the person again by an image, then unblock the old entry. A forged face was added or changed past the service,
and stops the search: unblock it, or see idem rights accept.`,
  options: { tenant: tenantOption, json: jsonOption },
} as const satisfies Words;

export const unblock = {
  help: `Usage: idem users unblock --id ID [--tenant NAME]

Removes a face from the list, with the key of its template; the tenant's evidence keeps an entry.`,
  options: {
    id: { type: "string", needed: "Name the face: --id ID, from idem users blocked" },
    tenant: tenantOption,
  },
} as const satisfies Words;
