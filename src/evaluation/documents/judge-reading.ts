import type { FusedAttack } from "#judging/document/decision/attacks/fusion";
import { judgeAttack } from "#judging/document/decision/attacks/judge-attack";
import { decideDocument } from "#judging/document/decision/decide";
import type { ExtractedDocument } from "#judging/document/decision/extracted-document";
import type { DocumentPolicy } from "#judging/document/decision/policy";

/** Judges a reading without declared values, from its own data alone. Pure. */
export const judgeReading = (document: ExtractedDocument, now: Date, policy: DocumentPolicy): FusedAttack => {
  const { reading, fields } = document;
  const { findings } = decideDocument(document, { country: "", type: "ID_CARD" }, now, policy);
  const country = fields.values.issuer?.value;
  const model = fields.model ?? fields.readBy;
  return judgeAttack(reading, findings, policy.attacks, {
    ...(country === undefined ? {} : { country }),
    ...(model === undefined ? {} : { model }),
  });
};
