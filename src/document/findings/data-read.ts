import { singleSidedTypes } from "#contract/document-type";
import type { DocumentCase, Question } from "../finding.ts";
import { mayDecline } from "../models/sureness.ts";
import { isSure } from "../read-print.ts";
import type { SideReading } from "../reading.ts";
import { fold } from "../text/fold.ts";
import { finding } from "./answer.ts";

/**
 * Was anything read that a decision can rest on? A passport or visa always has a machine readable zone, and so has a card
 * whose model says it: its absence or an unsure reading is the picture's fault (645). A passport without its portrait too
 * is not open at its data page (657), nor is a cover that says what it is. A card that no model tells and no zone vouches for may be genuine: a person must look
 * (647). Where neither outline, data nor a face beside print was found, there is no document (647, asked again): a face alone is
 * a selfie.
 */
export const askDataRead: Question = (document) => {
  const { reading, fields, declared } = document;
  const zone = fields.mrz;
  const hasZone = singleSidedTypes.includes(declared.type);
  const sides = reading.back === undefined ? [reading.front] : [reading.front, reading.back];
  const isAnythingThere = sides.some(
    (side) => side.card !== undefined || (side.faces > 0 && side.lines.some(isSure)) || showsPassport(side),
  );
  const isData = zone !== undefined || fields.payloads.length > 0 || fields.readBy !== undefined;
  return [
    finding({
      name: "document-absent",
      stage: "capture",
      code: 647,
      consequence: "resubmit",
      holds: !isData && !isAnythingThere,
    }),
    finding({
      name: "data-page-missing",
      stage: "capture",
      code: 657,
      consequence: "resubmit",
      holds:
        declared.type === "PASSPORT" && !isData && isAnythingThere && !sides.some(({ faces }) => faces > 0),
    }),
    finding({
      name: "data-unread",
      stage: "capture",
      code: 645,
      consequence: "resubmit",
      holds: zone === undefined ? hasZone || isZoneMissing(document) : !isZoneCertain(document),
      evidence: zone === undefined ? {} : { weakestMarginNats: zone.sighting.weakestMargin },
    }),
    finding({
      name: "document-model-unknown",
      stage: "type",
      code: 647,
      consequence: "review",
      neededForApproval: true,
      holds: isModelUnknown(document),
      evidence: {
        hasZone: zone !== undefined,
        hasBarcode: fields.payloads.length > 0,
        isModelKnown: fields.model !== undefined,
      },
    }),
  ];
};

/** What covers of passports say in the languages of Latin America, and in the two of Doc 9303. */
const passportWords = /PASSPORT|PASAPORTE|PASSAPORTE|PASSEPORT/;

const showsPassport = ({ lines }: SideReading): boolean =>
  lines.some(({ text }) => passportWords.test(fold(text)));

/** A back was sent, and the model's backs surely have a zone. */
const isZoneMissing = ({ fields: { model }, reading }: DocumentCase): boolean =>
  model?.mrz?.side === "back" && mayDecline(model.mrz) && reading.back !== undefined;

/** `unknown` where only an unsure zone speaks of the document. */
const isModelUnknown = ({ fields: { model, mrz } }: DocumentCase): boolean | "unknown" => {
  if (model !== undefined || mrz?.sighting.accepted === true) {
    return false;
  }
  return mrz === undefined ? true : "unknown";
};

/** The characters are clear, whatever their check digits say: only then do wrong digits speak of the document. */
export const isZoneCertain = ({ fields }: DocumentCase): boolean => fields.mrz?.sighting.clear === true;
