import type { FindingRule } from "../finding.ts";
import { isMrzClear } from "./data-read.ts";
import { finding } from "./finding-defaults.ts";

/**
 * The check digits of the MRZ are wrong (507). Evaluated only where every character was clear. One signal
 * sends the document to review; with a second signal from another source it is declined. Wrong digits are no
 * evidence where the document's model states that genuine cards have wrong ones; right digits count there
 * too.
 */
export const checkDigitsRule: FindingRule = (document) => {
  const { model, mrz } = document.fields;
  const mrzReading = mrz?.fields;
  const isUnreliable = document.fields.readBy?.mrz?.digits === "unreliable";
  const isOfCardWithoutMrz = mrzReading === undefined && model !== undefined && model.mrz === undefined;
  const isRead = mrzReading !== undefined && isMrzClear(document);
  const isKnown = isRead && (mrzReading.checksHold || !isUnreliable);
  const wrong = mrzReading?.checks.filter(({ holds }) => !holds).map(({ name }) => name) ?? [];
  return [
    finding({
      name: "check-digits-wrong",
      stage: "contradiction",
      code: 507,
      consequence: "review",
      source: "mrz",
      neededForApproval: true,
      holds: isKnown ? !mrzReading.checksHold : isOfCardWithoutMrz ? false : "unknown",
      evidence: { wrong: wrong.join(" "), count: wrong.length },
    }),
  ];
};
