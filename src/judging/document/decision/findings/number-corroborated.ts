import type { FindingRule } from "../finding.ts";
import { finding } from "./finding-defaults.ts";

/**
 * Only one weak source has the document's number (540). A clear MRZ is enough: its check digits have their
 * own rule. Without one, print alone or a barcode alone can be made by anybody. The card is approved without
 * review only where both agree.
 *
 * Not `isCorroborated`: here a clear MRZ is enough, accepted or not, and either number may be corroborated.
 */
export const numberCorroboratedRule: FindingRule = ({ fields: { mrz, values } }) => {
  const isNumberCorroborated =
    mrz?.summary.clear === true ||
    [values.documentNumber, values.personalNumber].some((field) => (field?.sources.length ?? 0) > 1);
  return [
    finding({
      name: "number-unconfirmed",
      stage: "type",
      code: 540,
      consequence: "review",
      neededForApproval: true,
      holds: !isNumberCorroborated,
      evidence: { sources: values.documentNumber?.sources.join(" ") ?? "" },
    }),
  ];
};
