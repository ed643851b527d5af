import { Failure } from "#contract/failure";
import { withEnd } from "#trust/revocation/bound-fetch";
import { findChain, nameOf, readCertificates } from "#trust/revocation/find-chain";
import { findStatus } from "#trust/revocation/find-status";
import type { FetchValidation, SignerIdentity } from "#trust/revocation/ports";

/** A responder that does not answer delays a signature by this time at most. */
const askingMsUsualMax = 10_000;

export type SignerCheck = {
  readonly signer: SignerIdentity;
  /** More issuers and roots in DER. */
  readonly known: readonly Uint8Array[];
  readonly now: Date;
  readonly fetch: FetchValidation;
  readonly askingMsMax?: number;
};

const unusable = (name: Uint8Array, fault: string): Failure =>
  new Failure("signer_unusable", { reason: `the certificate of ${nameOf(name)} ${fault}` });

/**
 * Refuses a signer before it signs at a level without validation material (B-B, B-T). Fails with
 * signer_unusable where its certificate, or that of an issuer, has expired, is not yet valid or is revoked.
 * These levels prove no status: a certificate that names no place to ask may sign, and an answer that cannot
 * be had refuses nothing.
 */
export const checkSigner = async ({
  signer,
  known,
  now,
  fetch,
  askingMsMax = askingMsUsualMax,
}: SignerCheck): Promise<void> => {
  const [leaf, ...pool] = readCertificates([signer.certificate, ...signer.chain, ...known]);
  if (leaf === undefined) throw new Failure("signer_unusable", { reason: "its certificate cannot be read" });
  const { bounded, clear } = withEnd(fetch, askingMsMax);
  const at = now.getTime();
  try {
    const { certificates } = await findChain(leaf, pool, bounded);
    for (const { subject, validFrom, validTo } of certificates) {
      if (at < validFrom) throw unusable(subject, "is not yet valid");
      if (validTo < at) throw unusable(subject, "has expired");
    }
    const statuses = certificates.map(async (one, place) => {
      const issuer = certificates[place + 1];
      if (issuer === undefined || one.hasNoCheck) return undefined;
      const found = await findStatus(one, issuer, bounded, at);
      return "status" in found && found.status.kind === "revoked" ? one.subject : undefined;
    });
    const revoked = (await Promise.all(statuses)).find((name) => name !== undefined);
    if (revoked !== undefined) throw unusable(revoked, "is revoked");
  } finally {
    clear();
  }
};
