import { optionLines, type Words } from "../kit/action.ts";
import { jsonOption } from "../kit/options.ts";

const verifyOptions = { json: { ...jsonOption, says: "one JSON object on stdout" } } as const;

export const rights = {
  help: `Usage: idem rights verify [--json]
       idem rights accept TABLE KEY…
       idem rights begin

The rows that give a right (API keys, tenants, destinations, credentials and tokens of clearing, tokens of capture pages, block lists,
kept images, deliveries) and the end of each evidence chain have a seal under the master key. The service refuses a row whose seal differs.

verify  names each row that was added, changed or removed past the service. It may run beside the service. It does not see that the store,
        or one tenant with the end of its chain, was put back to an earlier time as a whole: only a head outside shows that
accept  seals one row as it stands, after you have judged it, and writes that to the evidence. TABLE and KEY as verify prints them. Of
        a chain (evidence_heads) it takes its present end. A row that is missing is taken as removed. It works while the service runs
begin   makes a new key of the seals where the former one was removed, and seals all rows as they stand. Look at all of them before:
        idem keys list, idem webhooks list. A store of an earlier release does not need it: its first start seals it. Stop the
        service before

${optionLines(verifyOptions)}

Exit code of verify: 0 where every row is whole, 1 where one is not.`,
  topics: {
    verify: { options: verifyOptions },
    accept: { options: {}, takes: true },
    begin: { options: {} },
  },
} as const satisfies Words;
