import { isReliable } from "../../reading/read-side-text.ts";
import { fieldReadingsOf } from "../fields.ts";
import type { DocumentCase, FindingRule } from "../finding.ts";
import { sideContradictions } from "../sides/contradiction.ts";
import { findTie, type Tie } from "../sides/find-tie.ts";
import { finding } from "./finding-defaults.ts";

/**
 * The data of MRZ and barcodes is not tied to the portrait. Where the front shows no data, a better image is asked for (619).
 * Where it shows data and none of it is that of the MRZ or the barcode, a person looks (540). That is no sign of fraud: a front
 * may be in letters that no reader knows. Faults of the data itself come first, so neither ends the chain. What contradicts is
 * stated by `sources-agree.ts`.
 */
export const sidesTiedRule: FindingRule = (document) => {
  const tie = findTie(document.fields, document.reading.front.lines);
  const evidence = {
    tie: tie.kind,
    strength: strengthOf[tie.kind],
    by: tie.by,
    fields: tie.fields.join(" "),
  };
  return [
    finding({
      name: "front-unread",
      stage: "portrait",
      code: 619,
      consequence: "resubmit",
      // No image satisfies it on a front that no reader reads: the last attempt goes to review.
      isHint: true,
      holds: tie.kind === "none" && isFrontUnread(document),
      evidence: { lines: document.reading.front.lines.filter(isReliable).length },
    }),
    finding({
      name: "sides-untied",
      stage: "portrait",
      code: 540,
      consequence: "review",
      isHint: true,
      neededForApproval: true,
      // A contradiction says more, and no policy ignores it.
      holds: tie.kind === "none" && (sideContradictions(document.fields).length > 0 ? "unknown" : true),
      evidence,
    }),
  ];
};

/** A number is one person's, a name with a birth date is nearly so. A page is one piece of paper: its data was not compared. */
const strengthOf = {
  number: "strong",
  "name-and-birth": "strong",
  page: "weak",
  print: "weak",
  none: "none",
} as const satisfies Readonly<Record<Tie["kind"], string>>;

/**
 * A front with fewer reliable lines shows no data: headings alone are two or three lines, and the least data (names, birth date,
 * number, each with a label) is six. Chosen.
 */
const dataLinesMin = 6;

/** The data is on the back, and of the front no field was read and hardly any text. */
const isFrontUnread = ({ reading, fields }: DocumentCase): boolean => {
  const { mrz, payloads } = fields;
  const isDataBehind = mrz?.side === "back" || payloads.some(({ side }) => side === "back");
  const isFieldRead = fieldReadingsOf(fields).some(
    ({ side, name }) => side === "front" && name !== "issuer" && name !== "yearOfBirth",
  );
  return isDataBehind && !isFieldRead && reading.front.lines.filter(isReliable).length < dataLinesMin;
};
