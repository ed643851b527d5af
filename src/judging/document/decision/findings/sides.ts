import { singleSidedTypes } from "#contract/document-type";
import { parseMrz } from "../../reading/mrz/parse.ts";
import { isReliable } from "../../reading/read-side-text.ts";
import type { DocumentReading, MrzSummary, SideReading } from "../../reading/reading.ts";
import type { DocumentFields } from "../fields.ts";
import type { FindingRule } from "../finding.ts";
import { mayShowDocument } from "./document-absent.ts";
import { finding } from "./finding-defaults.ts";
import { isHardToSee } from "./images.ts";

/**
 * The sides are incomplete or of two documents. A two-sided card whose data was not on the front needs its
 * back (609); the same file twice is no back, and neither is an image without a document. Two backs lack the
 * front (608), and so does a face that was sent as the front of a document on the other image: callers
 * compare the selfie with the image that they sent as the front. Two MRZs with different numbers are two
 * documents (642).
 */
export const sidesRule: FindingRule = ({ reading, fields, declared, policy }) => {
  const isTwoSided = !singleSidedTypes.includes(declared.type);
  const isSameFile = reading.back?.sha256 === reading.front.sha256;
  const hasData = fields.mrz !== undefined || fields.licence !== undefined;
  // A back that is not visible on a poor image was still sent (204).
  const hasBack =
    reading.back !== undefined &&
    (showsBack(reading.back) || isHardToSee(reading.back.quality, policy.image));
  return [
    finding({
      name: "back-missing",
      stage: "request",
      code: 609,
      consequence: "resubmit",
      // Without a document on the front, its back is not missing.
      holds: isTwoSided && (isSameFile || (!hasBack && !hasData && mayShowDocument(reading.front, policy))),
      evidence: { isTwoSided, isSameFile, hasBack },
    }),
    finding({
      name: "front-missing",
      stage: "request",
      code: 608,
      consequence: "resubmit",
      holds:
        (isTwoSided && !isSameFile && isBack(reading.front) && isBack(reading.back)) ||
        isFaceBeforeDocument(reading),
    }),
    finding({
      name: "two-documents",
      stage: "capture",
      code: 642,
      consequence: "resubmit",
      holds: differentNumbers(reading.front.mrz, reading.back?.mrz),
    }),
    finding({
      name: "sides-of-two-countries",
      stage: "capture",
      code: 642,
      consequence: "resubmit",
      holds: differentCountries(fields),
    }),
  ];
};

/** Whether an image shows a back: an outline, an MRZ, a barcode or print that was read reliably. */
const showsBack = ({ card, mrz, barcodes, lines }: SideReading): boolean =>
  card !== undefined || mrz !== undefined || barcodes.length > 0 || lines.some(isReliable);

/** Whether the front's headings name another country than the back's headings, MRZ and barcodes. */
const differentCountries = ({ headings, mrz, payloads }: DocumentFields): boolean | "unknown" => {
  if (headings.front === undefined) {
    return "unknown";
  }
  const others = [
    headings.back,
    mrz?.side === "back" && mrz.summary.accepted ? mrz.fields.issuer : undefined,
    ...payloads.map(({ side, payload }) => (side === "back" ? payload.fields.issuer : undefined)),
  ].filter((country) => country !== undefined);
  return others.some((country) => country !== headings.front);
};

/** An MRZ of three lines is on backs only, and the portrait on fronts (ICAO Doc 9303-5, 4.1 and 4.2). */
const isBack = (side: SideReading | undefined): boolean => side?.mrz?.format === "TD1" && side.faces === 0;

/** The sides came in the wrong order, and the image that was sent as the front shows a face. */
const isFaceBeforeDocument = ({ swapped, back }: DocumentReading): boolean =>
  swapped && back !== undefined && (back.faces > 0 || (back.otherPortraits ?? 0) > 0);

const differentNumbers = (
  front: MrzSummary | undefined,
  back: MrzSummary | undefined,
): boolean | "unknown" => {
  if (front === undefined || back === undefined) {
    return false;
  }
  if (!front.accepted || !back.accepted) {
    return "unknown";
  }
  return numberOf(front) !== numberOf(back);
};

/** The reference day changes centuries only, never a number. */
const numberOf = ({ lines, format }: MrzSummary): string | undefined =>
  parseMrz(lines, "2000-01-01", format)?.documentNumber;
