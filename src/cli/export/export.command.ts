import type { Command } from "../command.ts";

export const exportDecisions: Command = {
  help: `Usage: idem export --since DATE [--until DATE] --format csv|jsonl [--environment live|test] [--tenant NAME] [--out FILE]

Writes the decisions of a tenant, one a line: results of faces and users, of document validations and reviews, of
verifications, civil registries and capture sessions, and the ends of operations. The order is that of time, then of transaction ids, so
that the same range gives the same file. A line holds names and codes of the interface, random ids and the version of the policy, and nothing
personal: no image, name, number, birth date, measurement, user, reference, tracking, application or key.
docs/guides/operate/export.md has the fields. It reads alone, needs no master key, and may run beside the service.

  --since DATE   first day or time, as 2026-11-01 or 2026-11-01T08:00:00Z; a day begins at 00:00 UTC
  --until DATE   decisions before this day or time; default: now. A call that is being answered now is missing
  --format       csv or jsonl
  --environment  live or test; default: both
  --tenant       name of the tenant; needed when there are several
  --out FILE     the file, readable by its owner only; an existing file is replaced when the export is complete. Default: stdout`,
  run: async (args) => (await import("./export.ts")).runExportDecisions(args),
};
