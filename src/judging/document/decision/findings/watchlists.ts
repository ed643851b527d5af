import type { FieldName } from "../../values/field-name.ts";
import type { DocumentFields } from "../fields.ts";
import type { Finding, FindingRule } from "../finding.ts";
import { isCorroborated } from "../trust-level.ts";
import type { PepMatches } from "../watchlists/pep-list.ts";
import { finding } from "./finding-defaults.ts";

/**
 * The answers of external sources. The holder may be a politically exposed person (126, always a review). The
 * civil registry has other data (123, exact where every value of the query is corroborated) or did not answer
 * (544). Without a registry the finding is recorded as `unknown`.
 */
export const watchlistsRule: FindingRule = ({ history: { exposed, registry }, fields }) => {
  const isExact = areCorroborated(fields);
  const findings: Finding[] = [
    finding({
      name: "registry-differs",
      stage: "outside",
      code: 123,
      consequence: isExact ? "decline" : "review",
      holds: registry === undefined || registry === "silent" ? "unknown" : registry === "differs",
      evidence: { isAsked: registry !== undefined, isExact },
    }),
  ];
  if (registry !== undefined) {
    findings.push(
      finding({
        name: "registry-silent",
        stage: "outside",
        code: 544,
        consequence: "review",
        holds: registry === "silent",
      }),
    );
  }
  if (exposed !== undefined) {
    const { matches, list } = exposed;
    findings.push(
      finding({
        name: "exposed-person",
        stage: "outside",
        code: 126,
        consequence: "review",
        neededForApproval: true,
        holds: matches === "unknown" ? "unknown" : matches.count > 0,
        evidence: { list, ...(matches !== "unknown" && evidenceOf(matches)) },
      }),
    );
  }
  return findings;
};

const linesMax = 20;

/** Lines of the matches in the imported file, for a compliance officer: the first of many, and no name. */
const evidenceOf = ({ count, lines = [] }: PepMatches) => ({
  matches: count,
  ...(lines.length > 0 && { lines: lines.slice(0, linesMax).join(", ") }),
});

/** Values that the registry was queried with. */
const queried = [
  "documentNumber",
  "lastName",
  "firstName",
  "dateOfBirth",
] as const satisfies readonly FieldName[];

const areCorroborated = (fields: DocumentFields): boolean =>
  queried.every((name) => fields.values[name] === undefined || isCorroborated(fields, name));
