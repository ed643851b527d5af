import { earliestDayOnEarth } from "../dates.ts";
import type { DocumentCase, Question } from "../finding.ts";
import { mayDecline } from "../models/sureness.ts";
import { finding } from "./answer.ts";
import { isVouched } from "./vouched.ts";

/**
 * Has it expired? Exact (511) when the date has right check digits over it and an accepted reading, or two sources
 * agree; from one weaker source it is asked again (620). The day counts in the issuer's last time zone; decrees that
 * prolong a country's documents are the operator's table. A generation that ended as a whole is expired whatever it prints:
 * that rests on telling the generation, so it is never more than asked again.
 */
export const askExpiry: Question = (document) => {
  const { fields } = document;
  const issued = fields.model?.issued;
  const isSure = issued !== undefined && mayDecline(issued);
  const expiry = fields.values.dateOfExpiry;
  const isExact = isVouched(fields, "dateOfExpiry");
  return [
    finding({
      name: "expired",
      stage: "expiry",
      code: isExact ? 511 : 620,
      consequence: isExact ? "decline" : "resubmit",
      neededForApproval: true,
      holds:
        expiry === undefined ? (fields.neverExpires ? false : "unknown") : isOver(document, expiry.value),
      evidence: { isExact, sources: expiry?.sources.join(" ") ?? "" },
    }),
    finding({
      name: "generation-ended",
      stage: "expiry",
      code: 620,
      consequence: isSure ? "resubmit" : "review",
      ...(isSure ? {} : { isHint: true as const }),
      holds: issued?.acceptedUntil === undefined ? "unknown" : isOver(document, issued.acceptedUntil),
    }),
  ];
};

const isOver = ({ now, policy, fields }: DocumentCase, expiry: string): boolean => {
  const today = earliestDayOnEarth(now);
  const issuer = fields.values.issuer?.value;
  const grace = policy.expiryGrace.find(({ country }) => country === issuer);
  return expiry < today && !(grace !== undefined && today <= grace.acceptedUntil);
};
