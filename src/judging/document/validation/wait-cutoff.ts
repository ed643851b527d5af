import type { DocumentPolicy } from "../decision/policy.ts";

const dayMs = 86_400_000;

/** A validation that started to wait before this time has waited longer than the policy allows (9104). */
export const waitCutoff = ({ resubmission }: Pick<DocumentPolicy, "resubmission">, now: Date): Date =>
  new Date(now.getTime() - resubmission.daysMax * dayMs);
