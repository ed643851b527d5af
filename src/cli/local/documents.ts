/** What was read and decided of a document, for the reader of an answer. */
import type { LocalChecks, VerifiedPerson } from "#app/local-checks";
import type { PortraitEvidence } from "#contract/portrait-evidence";
import { verificationCode } from "#contract/verification-code";
import type { Finding } from "#judging/document/decision/finding";
import type { VerificationRecord } from "#judging/document/decision/verification-record";
import type { DocumentReading, SideReading } from "#judging/document/reading/reading";
import { shortNumber } from "../kit/short-number.ts";
import type { Section } from "./check.ts";

const rowsOf = (values: Readonly<Record<string, string | null | undefined>>): [string, string][] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, value]],
  );

/** The values that are reported: those that were read with confidence. */
export const valuesOf = ({
  document,
  person,
}: VerificationRecord): Readonly<Record<string, string | null>> => ({
  type: document.type === "UNSUPPORTED" ? null : document.type,
  country: document.country,
  number: document.number,
  personalNumber: person.idNumber ?? null,
  lastName: person.lastName,
  firstName: person.firstName,
  dateOfBirth: person.dateOfBirth,
  sex: person.sex,
  nationality: person.nationality,
  dateOfIssue: document.issued,
  dateOfExpiry: document.expires,
});

export const describeValues = (record: VerificationRecord): Section => {
  const rows = rowsOf(valuesOf(record));
  return { heading: "Document", rows: rows.length === 0 ? [["values", "none read with confidence"]] : rows };
};

const describeSide = (
  heading: string,
  { file, quality, card, mrz, barcodes, portrait }: SideReading,
  { documentPolicy: { image } }: LocalChecks,
): Section => ({
  heading,
  rows: rowsOf({
    file: `${file.width} x ${file.height} px, ${file.format}, ${file.bytes} bytes`,
    "shorter side": `${Math.min(quality.width, quality.height)} px (at least ${image.shortSidePxMin})`,
    "JPEG quality":
      quality.jpegQuality === undefined
        ? undefined
        : `${quality.jpegQuality} (at least ${image.jpegQualityMin})`,
    sharpness: quality.sharpness.toFixed(2),
    brightness: quality.brightness.toFixed(0),
    overexposed: `${(100 * quality.overexposedShare).toFixed(1)} %`,
    card:
      card === undefined
        ? "not located"
        : `located, score ${card.score.toFixed(2)}, ${card.longSidePx.toFixed(0)} px`,
    MRZ:
      mrz === undefined
        ? "none"
        : `${mrz.format}, ${mrz.accepted ? "accepted" : mrz.clear ? "clear, not valid" : "not clear"}`,
    barcodes: barcodes.map(({ symbology }) => symbology).join(", ") || "none",
    portrait: portrait === undefined ? "none" : "found",
  }),
});

export const describeSides = ({ front, back }: DocumentReading, checks: LocalChecks): readonly Section[] => [
  describeSide("Image of the document", front, checks),
  ...(back === undefined ? [] : [describeSide("Image of the back", back, checks)]),
];

const shown = (value: string | number | boolean): string =>
  (typeof value === "number" ? shortNumber(value) : String(value)).trim() || "none";

const figuresOf = ({ evidence }: Finding): string =>
  Object.entries(evidence)
    .map(([name, value]) => `${name} ${shown(value)}`)
    .join(", ");

const findingRow = (finding: Finding): readonly [string, string] => [
  `${finding.code} ${finding.name}`,
  figuresOf(finding) || "none",
];

/** What each evidence of the portrait shows, for a reader. */
const portraitWords: Readonly<Record<PortraitEvidence, string>> = {
  unproven: "nothing shows that it belongs to the document",
  "print-consistent": "its print fits the card around it; a good forgery fits too",
  reference: "it is the registered user's, on print that fits the card",
  ghost: "the ghost on the card shows the same face; a forgery of both fits too",
  registry: "a civil registry has the same face",
  chip: "the document's chip has the same face",
};

const describeEvidence = ({
  portraitEvidence: found,
}: Pick<VerificationRecord, "portraitEvidence">): string | undefined =>
  found && `${found}: ${portraitWords[found]}`;

/** The decision, the findings that hold, and those that approval needs and that could not be answered. */
export const describeDecision = ({
  decision,
  findings,
  record,
}: Pick<VerifiedPerson["document"], "decision" | "findings"> & {
  readonly record: Pick<VerificationRecord, "portraitEvidence">;
}): readonly Section[] => {
  const held = findings.filter(({ holds }) => holds === true);
  const open = findings.filter(({ holds, neededForApproval }) => holds === "unknown" && neededForApproval);
  return [
    {
      heading: "Decision about the document",
      rows: rowsOf({
        result: `${verificationCode[decision.status]} ${decision.status}`,
        reason:
          decision.reasonCode === null ? null : `${decision.reasonCode} ${decision.reason ?? ""}`.trim(),
        "other reasons": decision.others.join(", ") || null,
        portrait: describeEvidence(record),
      }),
    },
    ...(held.length === 0 ? [] : [{ heading: "Findings that hold", rows: held.map(findingRow) }]),
    ...(open.length === 0
      ? []
      : [{ heading: "Not answered, and needed for approval", rows: open.map(findingRow) }]),
  ];
};
