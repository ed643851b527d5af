import type { Finding } from "../finding.ts";
import type { FindingName } from "../finding-names.ts";

/** A finding with the usual rest: its own name as source, not needed for approval, no evidence. */
export const finding = (
  about: Pick<Finding, "stage" | "code" | "consequence" | "holds"> &
    Partial<Finding> & { readonly name: FindingName },
): Finding => ({ source: about.name, neededForApproval: false, evidence: {}, ...about });
