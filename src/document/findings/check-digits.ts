import type { Question } from "../finding.ts";
import { finding } from "./answer.ts";
import { isZoneCertain } from "./data-read.ts";

/**
 * Do the zone's check digits hold? Wrong ones speak of the document only where every character was clear (507). One
 * signal, so a person looks; with a second one from another source it is a decline. Guatemala's older cards carry
 * unreliable digits: no finding there.
 */
export const askCheckDigits: Question = (document) => {
  const zone = document.fields.mrz?.fields;
  const isUnreliable = zone?.format === "TD1" && zone.issuer === "GTM";
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
      holds: isKnown ? !zone.checksHold : "unknown",
      evidence: { wrong: wrong.join(" "), count: wrong.length },
    }),
  ];
};
