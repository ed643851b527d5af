import { earliestDayOnEarth } from "../../values/dates.ts";
import { mayDecline } from "../../values/provenance.ts";
import type { DocumentCase, FindingRule } from "../finding.ts";
import { isCorroborated } from "../trust-level.ts";
import { finding } from "./finding-defaults.ts";

/**
 * The document has expired. Exact (511) where an accepted MRZ has the date or two sources agree; from one
 * weaker source it is a resubmission (620). The day ends in the last time zone on Earth. Decrees that extend
 * a country's documents are in the operator's policy. A generation that ended as a whole is expired whatever
 * date is printed: this rests on the identified generation, so it is a resubmission at most.
 */
export const expiryRule: FindingRule = (document) => {
  const { fields } = document;
  const issued = fields.model?.issued;
  const isEndKnown = issued !== undefined && mayDecline(issued);
  const expiry = fields.values.dateOfExpiry;
  const isExact = isCorroborated(fields, "dateOfExpiry");
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
      consequence: isEndKnown ? "resubmit" : "review",
      ...(isEndKnown ? {} : { isHint: true as const }),
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
