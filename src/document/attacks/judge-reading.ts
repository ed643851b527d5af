import { decideDocument } from "../decide.ts";
import type { ExtractedDocument } from "../extract-document.ts";
import type { DocumentPolicy } from "../policy.ts";
import type { FusedAttack } from "./fusion.ts";
import { judgeAttack } from "./judge-attack.ts";

/** Judges a reading of which nothing was declared, by what it says of itself. Pure. */
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
