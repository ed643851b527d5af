import { describe, expect, it } from "vitest";
import type { PdfReport, SignatureReport } from "../../../verify/report.ts";
import { reasonText } from "../stated-hash.ts";
import { judgeCertification } from "./judge-certification.ts";

const hash = "ab".repeat(32);

const certification: SignatureReport = {
  field: "Signature1",
  kind: "signature",
  format: "ETSI.CAdES.detached",
  verdict: "valid",
  reasons: [],
  integrity: "intact",
  coverage: { scope: "revision", bytes: 900 },
  changes: [],
  certification: 1,
  profile: { level: "PAdES-B-LTA", reasons: [] },
  signer: {
    name: "CN=Idem",
    issuer: "CN=Root",
    serial: "01",
    sha256: hash,
    validFrom: "2026-01-01T00:00:00.000Z",
    validTo: "2028-01-01T00:00:00.000Z",
  },
  chain: { trust: "trusted", names: [], revocation: "good", revokedAt: undefined },
  stamps: [],
  claimed: {
    at: undefined,
    name: undefined,
    reason: reasonText("op-1", hash),
    location: undefined,
    contact: undefined,
  },
  provenAt: "2026-11-23T10:00:00.000Z",
  provableUntil: "2027-01-01T00:00:00.000Z",
};
const stamp: SignatureReport = {
  ...certification,
  field: "Timestamp1",
  kind: "timestamp",
  certification: undefined,
  provableUntil: "2036-01-01T00:00:00.000Z",
};
const fileOf = (change: Partial<PdfReport> = {}): PdfReport => ({
  verdict: "valid",
  fileBytes: 1000,
  sha256: hash,
  signatures: [certification, stamp],
  removed: [],
  ...change,
});

describe("the certification of a bundle", () => {
  it("that is valid gives signer, proven time, end of the proof, level, and the bytes that it covers", () => {
    expect(judgeCertification(fileOf())).toEqual({
      signature: {
        verdict: "valid",
        signer: "CN=Idem",
        at: "2026-11-23T10:00:00.000Z",
        until: "2036-01-01T00:00:00.000Z",
        profile: "PAdES-B-LTA",
        reasons: [],
        stated: hash,
      },
      coveredBytes: 900,
    });
  });

  it.each([
    ["unknown_signer", "untrusted"],
    ["indeterminate", "indeterminate"],
    ["invalid", "invalid"],
  ] as const)("of a file that is %s is %s", (verdict, judged) => {
    expect(judgeCertification(fileOf({ verdict })).signature.verdict).toBe(judged);
  });

  it.each<[string, Partial<PdfReport>, string]>([
    ["without a signature", { verdict: "unsigned", signatures: [] }, "the file is not signed"],
    [
      "with a signature that certifies nothing",
      { signatures: [{ ...certification, certification: undefined }] },
      "the first signature does not certify the file without changes",
    ],
    [
      "with a certification that allows forms",
      { signatures: [{ ...certification, certification: 2 }] },
      "the first signature does not certify the file without changes",
    ],
    [
      "with a time-stamp alone",
      { signatures: [stamp] },
      "the first signature does not certify the file without changes",
    ],
    [
      "with a second signature",
      { signatures: [certification, { ...certification, field: "Signature2" }] },
      "another signature follows the certification",
    ],
    [
      "with another reason",
      { signatures: [{ ...certification, claimed: { ...certification.claimed, reason: "I agree" } }] },
      "the signature states no hash of evidence.json",
    ],
  ])("of a file %s is invalid", (_, change, reason) => {
    expect(judgeCertification(fileOf(change)).signature).toEqual({ verdict: "invalid", reasons: [reason] });
  });

  it("hands the reasons on with their fields", () => {
    const reasons = [{ code: "digest_differs", text: "the digest differs" }] as const;
    const broken = { ...certification, verdict: "invalid", reasons } as const;
    const { signature } = judgeCertification(Object.assign(fileOf(), { signatures: [broken] }));
    expect(signature.reasons).toEqual(["Signature1: the digest differs"]);
  });
});
