import type { Change, ChangeJudgement } from "./changes/change.ts";
import type { Reason, Verdict } from "./reasons.ts";

/** Levels of PAdES (ETSI EN 319 142-1, 6). */
export type PadesLevel = "PAdES-B-B" | "PAdES-B-T" | "PAdES-B-LT" | "PAdES-B-LTA";

/** A certificate as a report shows it. Times in ISO 8601. */
export type CertificateReport = {
  readonly name: string;
  readonly issuer: string;
  /** Hex. */
  readonly serial: string;
  /** SHA-256 of the certificate, hex. */
  readonly sha256: string;
  readonly validFrom: string;
  readonly validTo: string;
};

/** One signature or document time-stamp. Times in ISO 8601. */
export type SignatureReport = {
  /** Full name of its field. */
  readonly field: string;
  readonly kind: "signature" | "timestamp";
  /** The SubFilter, as written. */
  readonly format: string | undefined;
  readonly verdict: Verdict;
  /** Why the verdict is not 'valid'. */
  readonly reasons: readonly Reason[];
  readonly integrity: "intact" | "broken" | "unchecked";
  readonly coverage: {
    /** `revision`: a complete earlier state of the file. `partial`: bytes that are no complete state. */
    readonly scope: "whole_file" | "revision" | "partial";
    /** Bytes from the start of the file that it signs, its own Contents included. */
    readonly bytes: number;
  };
  /** What changed after it, and whether it allows that. */
  readonly changes: readonly (Change & { readonly judgement: ChangeJudgement })[];
  /** What a certification allows later: 1 nothing, 2 forms, 3 annotations too. */
  readonly certification: 1 | 2 | 3 | undefined;
  readonly profile: { readonly level: PadesLevel | undefined; readonly reasons: readonly string[] };
  readonly signer: CertificateReport | undefined;
  readonly chain: {
    readonly trust: "trusted" | "unknown" | "out_of_time" | "unfit";
    /** Names from the signer up. */
    readonly names: readonly string[];
    readonly revocation: "good" | "not_asked" | "unknown" | "revoked";
    readonly revokedAt: string | undefined;
  };
  /** Time-stamps over the signature itself. */
  readonly stamps: readonly {
    readonly at: string;
    readonly authority: string | undefined;
    readonly isWhole: boolean;
    readonly isProof: boolean;
    /** Why it proves no time, in words. */
    readonly doubt: string | undefined;
  }[];
  /** What the signer claims; nothing proves it. */
  readonly claimed: {
    /** In ISO 8601; undefined also where the file states no date that can be read. */
    readonly at: string | undefined;
    readonly name: string | undefined;
    readonly reason: string | undefined;
    readonly location: string | undefined;
    readonly contact: string | undefined;
  };
  /** The earliest time at which a time-stamp proves that it existed. */
  readonly provenAt: string | undefined;
  /** Until when that can be proven: the end of the certificate of the last time-stamp, or of the signer. */
  readonly provableUntil: string | undefined;
};

/** The whole file. */
export type PdfReport = {
  readonly verdict: Verdict | "unsigned";
  readonly fileBytes: number;
  /** SHA-256 of the file, hex. */
  readonly sha256: string;
  /** In the order in which they were made. */
  readonly signatures: readonly SignatureReport[];
  /** Fields whose signature is in an earlier state of the file but not in the last. */
  readonly removed: readonly string[];
};
