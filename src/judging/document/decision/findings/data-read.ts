import { singleSidedTypes } from "#contract/document-type";
import { mayDecline } from "../../values/provenance.ts";
import type { DocumentCase, FindingRule } from "../finding.ts";
import { mayShowDocument } from "./document-absent.ts";
import { finding } from "./finding-defaults.ts";

/**
 * Too little was read for a decision. A passport or visa always has an MRZ, and so has a card whose model
 * states it: a missing or unclear MRZ is a fault of the image (645). A passport without MRZ and without
 * portrait is not open at its data page (657); this includes a closed one that shows its cover. A card
 * without a model and without an accepted MRZ may be genuine: it goes to review (647).
 */
export const dataReadRule: FindingRule = (document) => {
  const { reading, fields, declared, policy } = document;
  const mrz = fields.mrz;
  const requiresMrz = singleSidedTypes.includes(declared.type);
  const sides = reading.back === undefined ? [reading.front] : [reading.front, reading.back];
  const isAnythingThere = sides.some((side) => mayShowDocument(side, policy));
  const isData = mrz !== undefined || fields.payloads.length > 0 || fields.readBy !== undefined;
  return [
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
      holds: mrz === undefined ? requiresMrz || isMrzMissing(document) : !isMrzClear(document),
      evidence: mrz === undefined ? {} : { weakestMarginNats: mrz.summary.weakestMargin },
    }),
    finding({
      name: "document-model-unknown",
      stage: "type",
      code: 647,
      consequence: "review",
      neededForApproval: true,
      holds: isModelUnknown(document),
      evidence: {
        hasZone: mrz !== undefined,
        hasBarcode: fields.payloads.length > 0,
        isModelKnown: fields.model !== undefined,
      },
    }),
  ];
};

/** A back was sent, and the model states on sufficient authority that its back has an MRZ. */
const isMrzMissing = ({ fields: { model }, reading }: DocumentCase): boolean =>
  model?.mrz?.side === "back" && mayDecline(model.mrz) && reading.back !== undefined;

/** `unknown` where the only source is an MRZ that was not accepted. */
const isModelUnknown = ({ fields: { model, mrz } }: DocumentCase): boolean | "unknown" => {
  if (model !== undefined || mrz?.summary.accepted === true) {
    return false;
  }
  return mrz === undefined ? true : "unknown";
};

/**
 * Every character of the MRZ is clear, whether or not its check digits hold. Only then are wrong digits
 * evidence.
 */
export const isMrzClear = ({ fields }: DocumentCase): boolean => fields.mrz?.summary.clear === true;
