import { isReliable } from "../../reading/read-side-text.ts";
import { fieldReadingsOf } from "../fields.ts";
import type { DocumentCase, FindingRule } from "../finding.ts";
import { sideContradictions } from "../sides/contradiction.ts";
import { findTie, isDataRead, type Tie } from "../sides/find-tie.ts";
import { portraitSideOf, type SidePrint } from "../sides/portrait-side.ts";
import { finding } from "./finding-defaults.ts";

/**
 * The data of MRZ and barcodes is not tied to the portrait. Where the front shows no data, a better image is
 * asked for (619). Where it shows data and none of it is that of the MRZ or the barcode, a person looks
 * (540). That is no sign of fraud: a front may be in letters that no reader knows. Faults of the data itself
 * come first, so neither ends the chain. What contradicts is stated by `sources-agree.ts`.
 */
export const sidesTiedRule: FindingRule = (document) => {
  const { fields, reading } = document;
  const tie = findTie(fields, reading);
  const front = portraitSideOf(fields, reading);
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
      holds: tie.kind === "none" && isFrontUnread(document, front),
      evidence: { lines: front.lines.filter(isReliable).length },
    }),
    finding({
      name: "sides-untied",
      stage: "portrait",
      code: 540,
      consequence: "review",
      isHint: true,
      neededForApproval: true,
      holds: tie.kind === "none" && isFault(fields),
      evidence,
    }),
  ];
};

/** A contradiction says more, and no policy ignores it. Where no data was read, nothing is to be tied. */
const isFault = (fields: DocumentCase["fields"]): true | "unknown" =>
  sideContradictions(fields).length > 0 || !isDataRead(fields) ? "unknown" : true;

/**
 * Two of number, names and birth date are one person's. A page is one piece of paper: its data was not
 * compared.
 */
const strengthOf = {
  number: "strong",
  "name-and-birth": "strong",
  page: "weak",
  print: "weak",
  none: "none",
} as const satisfies Readonly<Record<Tie["kind"], string>>;

/**
 * A front with fewer reliable lines shows no data: headings alone are two or three lines, and the least data
 * (names, birth date, number, each with a label) is six. The number is our choice.
 */
const dataLinesMin = 6;

/**
 * The data is on the back, and of the portrait's side no field was read and hardly any text. A barcode on it
 * is no print of it.
 */
const isFrontUnread = ({ fields }: DocumentCase, { lines, hasPrinted }: SidePrint): boolean => {
  const { mrz, payloads } = fields;
  const isDataBehind = mrz?.side === "back" || payloads.some(({ side }) => side === "back");
  const isFieldRead = fieldReadingsOf(fields).some(
    (one) => hasPrinted(one) && one.name !== "issuer" && one.name !== "yearOfBirth",
  );
  return isDataBehind && !isFieldRead && lines.filter(isReliable).length < dataLinesMin;
};
