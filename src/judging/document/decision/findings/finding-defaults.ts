import type { Finding } from "../finding.ts";

/** A finding with defaults: its name as source, not needed for approval, no evidence. */
export const finding = (
  about: Pick<Finding, "name" | "stage" | "code" | "consequence" | "holds"> & Partial<Finding>,
): Finding => ({ source: about.name, neededForApproval: false, evidence: {}, ...about });
