import { createHash } from "node:crypto";
import type { Certificate } from "#trust/asn1/certificate";
import { DerError } from "#trust/asn1/der";
import { describeName } from "#trust/asn1/names";
import { oids } from "#trust/asn1/oids";
import { isStrongKey } from "#trust/asn1/verify-signature";
import { isForDocuments } from "#trust/signers/judge-use";
import type { Steps } from "../pdf/steps.ts";
import { countNames, judgeChange } from "./changes/change.ts";
import type { CmsFault } from "./cms/check-signer.ts";
import type { CmsFacts, CmsUnread } from "./cms/read-cms.ts";
import { readPdfDate } from "./file/pdf-date.ts";
import { judgeProfile } from "./judge-profile.ts";
import { judgeSignature, type SignatureFacts, verdictOf } from "./judge-signature.ts";
import { reasonOf } from "./reasons.ts";
import type { CertificateReport, SignatureReport } from "./report.ts";
import type { TimedSignature } from "./trust/judge-times.ts";
import { isForStamps } from "./trust/judge-use.ts";

/** More changes of one signature are not listed. */
const changesMax = 200;

type Around = {
  readonly fileBytes: number;
  readonly others: readonly TimedSignature[];
  readonly steps: Steps;
};

/** The report of one signature. */
export const describeSignature = (one: TimedSignature, around: Around): SignatureReport => {
  const { read, certificate, chain, stamps, provenAt } = one;
  const { found, changes } = read;
  // Each change is judged twice, and compared with each name that a rule locks.
  around.steps.take(2 * (changes ?? []).length * (1 + countNames(found.rules)));
  const facts = factsOf(one);
  const codes = judgeSignature(facts);
  const judged = (changes ?? []).map((change) => ({ ...change, judgement: judgeChange(change, found) }));
  return {
    field: found.field,
    kind: found.isTimestamp ? "timestamp" : "signature",
    format: found.subFilter,
    verdict: verdictOf(codes),
    reasons: codes.map(reasonOf),
    integrity: integrityOf(facts),
    coverage: coverageOf(one, around.fileBytes),
    changes: worstFirst(judged).slice(0, changesMax),
    certification: found.certification,
    profile: found.isTimestamp ? { level: undefined, reasons: [] } : profileOf(one, around.others),
    signer: certificate && describeCertificate(certificate),
    chain: {
      trust: chain?.trust ?? "unknown",
      names: (chain?.certificates ?? []).map(({ subject }) => nameOf(subject)),
      revocation: chain?.revocation.kind ?? "unknown",
      revokedAt: chain?.revocation.kind === "revoked" ? isoOf(chain.revocation.at) : undefined,
    },
    stamps: stamps.map((stamp) => ({
      at: isoOf(stamp.at),
      authority: stamp.authority && nameOf(stamp.authority.subject),
      isWhole: stamp.isWhole,
      isProof: stamp.isProof,
      doubt: stamp.doubt,
    })),
    claimed: {
      at: found.claimedAt === undefined ? undefined : readPdfDate(found.claimedAt),
      name: found.name,
      reason: found.reason,
      location: found.location,
      contact: found.contact,
    },
    provenAt:
      one.own?.isProof === true ? isoOf(one.own.at) : provenAt === undefined ? undefined : isoOf(provenAt),
    provableUntil: provableUntil(one, around.others),
  };
};

const isoOf = (at: number): string => new Date(at).toISOString();

const nameOf = (name: Uint8Array): string => {
  try {
    return describeName(name);
  } catch (error) {
    if (error instanceof DerError) return "unreadable name";
    throw error;
  }
};

const describeCertificate = (one: Certificate): CertificateReport => ({
  name: nameOf(one.subject),
  issuer: nameOf(one.issuer),
  serial: Buffer.from(one.serial).toString("hex"),
  sha256: createHash("sha256").update(one.bytes).digest("hex"),
  validFrom: isoOf(one.validFrom),
  validTo: isoOf(one.validTo),
});

const rank = { forbidden: 0, doubtful: 1, allowed: 2 } as const;

const worstFirst = (changes: SignatureReport["changes"]): SignatureReport["changes"] =>
  changes.toSorted((a, b) => rank[a.judgement] - rank[b.judgement]);

const factsOf = ({ read, certificate, chain, provenAt, own }: TimedSignature): SignatureFacts => {
  const { found, range, cms, state, changes } = read;
  const isRead = cms !== undefined && typeof cms !== "string";
  const faults = cms === undefined ? [] : isRead ? cms.faults : [cms];
  return {
    rangeFault: typeof range === "string" ? range : undefined,
    isComplete: state !== undefined,
    cmsFaults: [...new Set(faults)],
    isStrong: isRead && cms.isStrong && certificate !== undefined && isStrongKey(certificate.publicKeyInfo),
    changes: changes === undefined ? "unreadable" : changes.map((change) => judgeChange(change, found)),
    stamps: isRead ? judgeStamps(cms) : "whole",
    chain,
    isFit: certificate !== undefined && (own === undefined ? isForDocuments : isForStamps)(certificate),
    isProven: provenAt !== undefined,
  };
};

const judgeStamps = ({ stamps, stampsUnread }: CmsFacts): SignatureFacts["stamps"] => {
  const faults = stamps.flatMap((stamp) => stamp.faults);
  if (stampsUnread > 0 || !faults.every(isOpen)) return "broken";
  return faults.length > 0 ? "unchecked" : "whole";
};

/** Whether a fault only leaves the signature unchecked. */
const isOpen = (fault: CmsFault | CmsUnread): boolean =>
  fault === "format_unknown" || fault === "certificate_missing" || fault === "algorithm_unknown";

const integrityOf = ({ rangeFault, cmsFaults, isComplete }: SignatureFacts): SignatureReport["integrity"] => {
  if (rangeFault !== undefined || !isComplete) return "broken";
  if (cmsFaults.length === 0) return "intact";
  return cmsFaults.every(isOpen) ? "unchecked" : "broken";
};

const coverageOf = ({ read }: TimedSignature, fileBytes: number): SignatureReport["coverage"] => {
  const { range, state } = read;
  if (typeof range === "string" || state === undefined) {
    return { scope: "partial", bytes: typeof range === "string" ? 0 : range.end };
  }
  return { scope: state.bytes.length === fileBytes ? "whole_file" : "revision", bytes: range.end };
};

/** Whole document time-stamps that were made after a signature. */
const laterStamps = (
  { read }: TimedSignature,
  others: readonly TimedSignature[],
): readonly TimedSignature[] =>
  others.filter(
    ({ read: other, own }) =>
      own?.isWhole === true &&
      typeof other.range !== "string" &&
      typeof read.range !== "string" &&
      other.range.end > read.range.end,
  );

const profileOf = (one: TimedSignature, others: readonly TimedSignature[]): SignatureReport["profile"] => {
  const { cms, found } = one.read;
  if (cms === undefined || typeof cms === "string")
    return { level: undefined, reasons: ["it cannot be read"] };
  const attributes = cms.signer?.signedAttributes;
  const later = laterStamps(one, others);
  return judgeProfile({
    subFilter: found.subFilter,
    hasSigningTime: attributes?.has(oids.signingTime) === true,
    hasSigningCertificate:
      attributes?.has(oids.signingCertificateV2) === true ||
      attributes?.has(oids.signingCertificate) === true,
    hasContent: cms.hasContent,
    hasClaimedTime: found.claimedAt !== undefined,
    isStamped: one.stamps.some(({ isWhole }) => isWhole) || later.length > 0,
    hasValidationData: one.holdsStatus,
    isArchived: later.some(({ read }) => read.hasStore),
  });
};

/**
 * The end of the certificate of the last time-stamp that proves the signature; without one, of the signer's
 * certificate.
 */
const provableUntil = (one: TimedSignature, others: readonly TimedSignature[]): string | undefined => {
  const later = laterStamps(one, others).flatMap(({ own }) => (own?.isProof === true ? [own] : []));
  const proofs = [...later, ...one.stamps.filter(({ isProof }) => isProof)];
  const ends = proofs.flatMap(({ authority }) => (authority === undefined ? [] : [authority.validTo]));
  if (ends.length > 0) return isoOf(Math.max(...ends));
  return one.certificate && isoOf(one.certificate.validTo);
};
