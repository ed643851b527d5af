import type { FieldName } from "../field-name.ts";
import type { DocumentFields } from "../fields.ts";
import type { Finding, Question } from "../finding.ts";
import type { PepMatches } from "../outside/pep-list.ts";
import { finding } from "./answer.ts";
import { isVouched } from "./vouched.ts";

/**
 * What do others say: may the holder be a politically exposed person (126, a person decides, always), does the civil
 * registry say otherwise (123, exact where all that it was asked with is vouched for), or nothing (544)? Without a registry
 * the question stays open, and its answer is kept as unknown.
 */
export const askOutside: Question = ({ history: { exposed, registry }, fields }) => {
  const isExact = areVouched(fields);
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

/** Where a compliance officer finds them in the file that was imported: lines, the first ones of many, and no name. */
const evidenceOf = ({ count, lines = [] }: PepMatches) => ({
  matches: count,
  ...(lines.length > 0 && { lines: lines.slice(0, linesMax).join(", ") }),
});

const asked = [
  "documentNumber",
  "lastName",
  "firstName",
  "dateOfBirth",
] as const satisfies readonly FieldName[];

const areVouched = (fields: DocumentFields): boolean =>
  asked.every((name) => fields.values[name] === undefined || isVouched(fields, name));
