import type { Question } from "../finding.ts";
import { finding } from "./answer.ts";
import { isZoneCertain } from "./data-read.ts";

/**
 * Do the zone's check digits hold? Wrong ones speak of the document only where every character was clear (507). One
 * signal, so a person looks; with a second one from another source it is a decline. Cards that carry unreliable digits by
 * the model that they are read by say nothing with wrong ones.
 */
export const askCheckDigits: Question = (document) => {
  const { model, mrz } = document.fields;
  const zone = mrz?.fields;
  const isUnreliable = document.fields.readBy?.mrz?.digits === "unreliable";
  const isOfCardWithoutZone = zone === undefined && model !== undefined && model.mrz === undefined;
  const isKnown = zone !== undefined && isZoneCertain(document) && !isUnreliable;
  const wrong = zone?.checks.filter(({ holds }) => !holds).map(({ name }) => name) ?? [];
  return [
    finding({
      name: "check-digits-wrong",
      stage: "contradiction",
      code: 507,
      consequence: "review",
      source: "mrz",
      neededForApproval: true,
      holds: isKnown ? !zone.checksHold : isOfCardWithoutZone ? false : "unknown",
      evidence: { wrong: wrong.join(" "), count: wrong.length },
    }),
  ];
};
