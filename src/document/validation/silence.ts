import type { DocumentPolicy } from "../policy.ts";

const dayMs = 86_400_000;

/** What has waited since before this moment has waited longer than the policy allows (9104). */
export const silentBefore = ({ resubmission }: Pick<DocumentPolicy, "resubmission">, now: Date): Date =>
  new Date(now.getTime() - resubmission.daysMax * dayMs);
