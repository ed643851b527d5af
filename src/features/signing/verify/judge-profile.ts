import type { PadesLevel } from "./report.ts";

/** What the profile of a signature rests on. */
export type ProfileFacts = {
  readonly subFilter: string | undefined;
  readonly hasSigningTime: boolean;
  readonly hasSigningCertificate: boolean;
  readonly hasContent: boolean;
  readonly hasClaimedTime: boolean;
  /** Whether a whole time-stamp stands over the signature, or over the file with it. */
  readonly isStamped: boolean;
  /**
   * Whether the file holds the status of its chain, and of the chains of its time-stamps, where a certificate
   * names a place to ask.
   */
  readonly hasValidationData: boolean;
  /** Whether a whole document time-stamp covers that data. */
  readonly isArchived: boolean;
};

/**
 * The level of a signature (ETSI EN 319 142-1, 6.3), or why it is none. A level is what the file holds;
 * whether the data proves anything is judged elsewhere.
 */
export const judgeProfile = (
  facts: ProfileFacts,
): { level: PadesLevel | undefined; reasons: readonly string[] } => {
  const reasons = [
    ...(facts.subFilter === "ETSI.CAdES.detached"
      ? []
      : [`its SubFilter is ${facts.subFilter ?? "missing"}`]),
    ...(facts.hasSigningTime ? ["its CMS holds the attribute signing-time"] : []),
    ...(facts.hasSigningCertificate ? [] : ["its CMS names no signing certificate"]),
    ...(facts.hasContent ? ["its CMS holds content"] : []),
    ...(facts.hasClaimedTime ? [] : ["its dictionary has no time (M)"]),
  ];
  return { level: reasons.length > 0 ? undefined : levelOf(facts), reasons };
};

const levelOf = ({ isStamped, hasValidationData, isArchived }: ProfileFacts): PadesLevel => {
  if (!isStamped) return "PAdES-B-B";
  if (!hasValidationData) return "PAdES-B-T";
  return isArchived ? "PAdES-B-LTA" : "PAdES-B-LT";
};
