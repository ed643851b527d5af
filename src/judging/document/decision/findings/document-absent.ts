import { isReliable } from "../../reading/read-side-text.ts";
import type { SideReading } from "../../reading/reading.ts";
import { fold } from "../../values/fold.ts";
import type { FindingRule } from "../finding.ts";
import type { DocumentPolicy } from "../policy.ts";
import { finding } from "./finding-defaults.ts";
import { isHardToSee, isTooSmall } from "./images.ts";

/**
 * The images show no document (647): an invoice, a blank page, a QR code, a table, a face alone. Judged
 * before the quality of the images: a sharper image of an invoice is no document either.
 */
export const documentAbsentRule: FindingRule = ({ reading: { front, back }, fields, policy }) => {
  const isData = fields.mrz !== undefined || fields.payloads.length > 0 || fields.readBy !== undefined;
  const sides = back === undefined ? [front] : [front, back];
  return [
    finding({
      name: "document-absent",
      stage: "capture",
      code: 647,
      consequence: "resubmit",
      holds: !isData && !sides.some((side) => mayShowDocument(side, policy)),
    }),
  ];
};

/**
 * Whether an image may show a document, by a face within an outline or beside print, its words or its
 * outline.
 */
export const mayShowDocument = (side: SideReading, policy: DocumentPolicy): boolean =>
  (side.faces > 0 && (side.card !== undefined || side.lines.some(isReliable))) ||
  side.lines.some(({ text }) => documentWords.test(fold(text))) ||
  mayBeOutlineOfDocument(side, policy);

/**
 * Words on covers of passports and on the data side of cards, in the languages of Latin America and the two
 * of Doc 9303. Only identity documents state a birth.
 */
const documentWords =
  /PASSPORT|PASAPORTE|PASSAPORTE|PASSEPORT|NACIMIENTO|NASCIMENTO|NAISSANCE|\bBIRTH\b|IDENTITY CARD|CEDULA|LICENCIA DE CONDUC|DRIVER LICEN|DRIVING LICEN/;

/**
 * A rectangle without a face is a document where its print could not be seen, or where few lines were read. A
 * sheet that was seen well and has the text of a letter is none, and neither is a bright one without text:
 * covers of passports are dark.
 */
const mayBeOutlineOfDocument = ({ card, quality, lines }: SideReading, policy: DocumentPolicy): boolean => {
  if (card === undefined) return false;
  const isSeenWell =
    card.longSidePx >= legibleCardPx &&
    !isTooSmall(quality, policy.image) &&
    !isHardToSee(quality, policy.image);
  const read = lines.filter(isReliable).length;
  const isSheet = read === 0 ? quality.brightness >= brightnessOfPaper : read >= linesOfLetter;
  return !isSeenWell || !isSheet;
};

/**
 * Longer side in pixels at which the letters of a card (1.5 mm) are 11 px high and can be read. The number is
 * our choice.
 */
const legibleCardPx = 700;

/** A side with at least this mean luma, of 255, is bright like paper. The number is our choice. */
const brightnessOfPaper = 160;

/**
 * From this number of lines on, a side of a document has a word of {@link documentWords}, a face or an MRZ.
 * The number is our choice.
 */
const linesOfLetter = 6;
