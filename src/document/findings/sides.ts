import { singleSidedTypes } from "#contract/document-type";
import type { DocumentFields } from "../fields.ts";
import type { Question } from "../finding.ts";
import { parseMrz } from "../mrz/parse.ts";
import { isSure } from "../read-print.ts";
import type { MrzSighting, SideReading } from "../reading.ts";
import { finding } from "./answer.ts";
import { isHardToSee } from "./picture.ts";

/**
 * Is the back there, and of the same document? A two-sided card whose data was not on the front needs its back
 * (609); the same file twice is no back, nor is a picture without any document; two backs lack the front (608); two zones with different numbers are two documents
 * (642).
 */
export const askSides: Question = ({ reading, fields, declared, policy }) => {
  const isTwoSided = !singleSidedTypes.includes(declared.type);
  const isSameFile = reading.back?.sha256 === reading.front.sha256;
  const hasData = fields.mrz !== undefined || fields.licence !== undefined;
  // A back of which nothing is seen on a bad picture was sent all the same (204).
  const hasBack =
    reading.back !== undefined &&
    (showsBack(reading.back) || isHardToSee(reading.back.quality, policy.picture));
  return [
    finding({
      name: "back-missing",
      stage: "request",
      code: 609,
      consequence: "resubmit",
      holds: isTwoSided && (isSameFile || (!hasBack && !hasData)),
      evidence: { isTwoSided, isSameFile, hasBack },
    }),
    finding({
      name: "front-missing",
      stage: "request",
      code: 608,
      consequence: "resubmit",
      holds: isTwoSided && !isSameFile && isBack(reading.front) && isBack(reading.back),
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

/** Whether anything of a back was seen: its outline, a zone, a symbol or sure print. */
const showsBack = ({ card, mrz, barcodes, lines }: SideReading): boolean =>
  card !== undefined || mrz !== undefined || barcodes.length > 0 || lines.some(isSure);

/** What the headings of the front name, against the headings of the back, the zone and the symbols there. */
const differentCountries = ({ headings, mrz, payloads }: DocumentFields): boolean | "unknown" => {
  if (headings.front === undefined) {
    return "unknown";
  }
  const others = [
    headings.back,
    mrz?.side === "back" && mrz.sighting.accepted ? mrz.fields.issuer : undefined,
    ...payloads.map(({ side, payload }) => (side === "back" ? payload.fields.issuer : undefined)),
  ].filter((country) => country !== undefined);
  return others.some((country) => country !== headings.front);
};

/** A zone of three lines stands on backs alone, and the portrait on fronts (ICAO Doc 9303-5, 4.1 and 4.2). */
const isBack = (side: SideReading | undefined): boolean => side?.mrz?.format === "TD1" && side.faces === 0;

const differentNumbers = (
  front: MrzSighting | undefined,
  back: MrzSighting | undefined,
): boolean | "unknown" => {
  if (front === undefined || back === undefined) {
    return false;
  }
  if (!front.accepted || !back.accepted) {
    return "unknown";
  }
  return numberOf(front) !== numberOf(back);
};

/** The reference day moves centuries only, never a number. */
const numberOf = ({ lines, format }: MrzSighting): string | undefined =>
  parseMrz(lines, "2000-01-01", format)?.documentNumber;
