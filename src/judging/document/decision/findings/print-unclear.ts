import type { FindingRule } from "../finding.ts";
import { sideContradictions } from "../sides/contradiction.ts";
import { unclearPrint } from "../sides/unclear-print.ts";
import { finding } from "./finding-defaults.ts";

/**
 * A printed value differs from that of MRZ or barcode, and shows no contradiction (619): it was read too
 * poorly, or it differs too little. A better image shows which of the two it is: without this rule the worse
 * of two forgeries would be approved. A contradiction says more.
 */
export const printUnclearRule: FindingRule = ({ fields }) => {
  const unclear = unclearPrint(fields);
  return [
    finding({
      name: "print-unclear",
      stage: "portrait",
      code: 619,
      consequence: "resubmit",
      // Print that no image shows more clearly goes to review at the last attempt.
      isHint: true,
      holds: sideContradictions(fields).length > 0 ? "unknown" : unclear.length > 0,
      evidence: { fields: unclear.join(" ") },
    }),
  ];
};
