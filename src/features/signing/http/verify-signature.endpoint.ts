import { decodeBase64Fields } from "#contract/base64";
import { type Endpoint, implement } from "#contract/endpoint";
import { envelope, serviceRan } from "#contract/envelope";
import { verifySignatureRoute } from "#contract/verify-signature.routes";
import type { VerifySignature } from "../documents/verify-signature.ts";
import type { SignatureReport } from "../verify/report.ts";

/** What is missing is null on the wire. */
const wireSignature = ({ chain, changes, claimed, profile, stamps, ...rest }: SignatureReport) => ({
  ...rest,
  format: rest.format ?? null,
  reasons: [...rest.reasons],
  changes: changes.map(({ kind, what, field, judgement }) => ({
    kind,
    what,
    field: field ?? null,
    judgement,
  })),
  certification: rest.certification ?? null,
  profile: { level: profile.level ?? null, reasons: [...profile.reasons] },
  signer: rest.signer ?? null,
  chain: { ...chain, names: [...chain.names], revokedAt: chain.revokedAt ?? null },
  stamps: stamps.map(({ authority, doubt, ...stamp }) => ({
    ...stamp,
    authority: authority ?? null,
    doubt: doubt ?? null,
  })),
  claimed: {
    at: claimed.at ?? null,
    name: claimed.name ?? null,
    reason: claimed.reason ?? null,
    location: claimed.location ?? null,
    contact: claimed.contact ?? null,
  },
  provenAt: rest.provenAt ?? null,
  provableUntil: rest.provableUntil ?? null,
});

/** Verifies a PDF. A bad signature is an answer; only a file that cannot be read is a failure. */
export const verifySignatureEndpoint = (verifySignature: VerifySignature): Endpoint =>
  implement(verifySignatureRoute, async (call) => {
    const { file } = decodeBase64Fields({ file: { value: call.request.file } });
    const { verdict, fileBytes, sha256, signatures, removed } = await verifySignature(call, file);
    return {
      ...envelope(call, serviceRan("verifySignature")),
      verdict,
      fileBytes,
      sha256,
      signatures: signatures.map(wireSignature),
      removed: [...removed],
    };
  });
