import { Failure } from "#contract/failure";
import type { Certificate } from "#trust/asn1/certificate";
import { DerError } from "#trust/asn1/der";
import { oids } from "#trust/asn1/oids";
import { type CmsSignature, readSignedData } from "#trust/asn1/signed-data";
import { withBudget } from "./bound-fetch.ts";
import { findChain, nameOf, readCertificates } from "./find-chain.ts";
import { findStatus } from "./find-status.ts";
import type { FetchValidation, ValidationData, ValidationMaterial } from "./ports.ts";

export type GatherRequest = {
  /** A CMS in DER: a signature or a time-stamp token, with or without the zero bytes behind it. */
  readonly contents: Uint8Array;
  /** More certificates in DER, such as issuers and roots. */
  readonly known: readonly Uint8Array[];
  readonly fetch: FetchValidation;
  readonly now: Date;
  /** Gathers also for expired and revoked certificates: for the extension of old signatures. */
  readonly acceptsUnusableSigner?: boolean;
};

/** Whose chain a certificate belongs to: it decides the failure. */
type Role = "signer" | "stamper";

const failureOf = (role: Role, reason: string): Failure =>
  new Failure(role === "signer" ? "signer_unusable" : "timestamp_failed", { reason });

/** Questions for one signature: chains of two certificates, each of up to eight, with their responders. */
const asksMax = 48;

/** Bytes without repetition, in the order of their arrival. */
const makeBag = () => {
  const found = new Map<string, Uint8Array>();
  return {
    add: (bytes: Uint8Array): boolean => {
      const key = Buffer.from(bytes).toString("latin1");
      const isNew = !found.has(key);
      found.set(key, bytes);
      return isNew;
    },
    all: (): readonly Uint8Array[] => [...found.values()],
  };
};

const makeCollector = ({ fetch, now, acceptsUnusableSigner = false }: GatherRequest) => {
  const ask = withBudget(fetch, asksMax);
  const [certificates, ocsps, crls] = [makeBag(), makeBag(), makeBag()];
  const at = now.getTime();

  const judgeAge = ({ subject, validFrom, validTo }: Certificate, role: Role): void => {
    if (acceptsUnusableSigner || (validFrom <= at && at <= validTo)) return;
    const fault = at < validFrom ? "is not yet valid" : "has expired";
    throw failureOf(role, `the certificate of ${nameOf(subject)} ${fault}`);
  };

  const collectStatus = async (
    one: Certificate,
    issuer: Certificate,
    role: Role,
    pool: readonly Certificate[],
  ): Promise<void> => {
    const found = await findStatus(one, issuer, ask, at);
    const name = nameOf(one.subject);
    if ("missing" in found) throw failureOf(role, `the status of ${name} is not known: ${found.missing}`);
    if (found.status.kind === "revoked" && !acceptsUnusableSigner) {
      throw failureOf(role, `the certificate of ${name} is revoked`);
    }
    (found.source === "ocsp" ? ocsps : crls).add(found.bytes);
    if (found.by !== issuer) await collect(found.by, [issuer, ...pool], role);
  };

  /** Collects a certificate, its issuers, and the status of each but the root. */
  const collect = async (leaf: Certificate, pool: readonly Certificate[], role: Role): Promise<void> => {
    const { certificates: chain, isComplete } = await findChain(leaf, pool, ask);
    if (!isComplete) {
      const { issuer } = chain.at(-1) ?? leaf;
      throw failureOf(role, `the certificate of ${nameOf(issuer)} is missing`);
    }
    const work = chain.map(async (one, place) => {
      judgeAge(one, role);
      const issuer = chain[place + 1];
      const isNew = certificates.add(one.bytes);
      if (isNew && issuer !== undefined && !one.hasNoCheck) await collectStatus(one, issuer, role, pool);
    });
    // All end before the first failure leaves: no question outlives its signature.
    const rejected = (await Promise.allSettled(work)).find((result) => result.status === "rejected");
    if (rejected !== undefined) throw rejected.reason;
  };

  return {
    collect,
    data: (): ValidationData => ({ certificates: certificates.all(), ocsps: ocsps.all(), crls: crls.all() }),
  };
};

const readCms = (contents: Uint8Array) => {
  try {
    return readSignedData(contents, { mayHavePadding: true });
  } catch (error) {
    if (error instanceof DerError) throw failureOf("signer", "the signature cannot be read");
    throw error;
  }
};

/**
 * Gathers what the validation of a signature needs later: the chain of its signer and of each time-stamp in
 * it, and the status of every certificate below a root, asked now and verified. Stops at responders with
 * ocsp-nocheck. Fails with signer_unusable or timestamp_failed where a certificate has expired, is revoked,
 * or where its issuer or status cannot be had.
 */
export const gatherValidation = async (request: GatherRequest): Promise<ValidationMaterial> => {
  const { contents, known } = request;
  const collector = makeCollector(request);
  const collectSigner = async (
    { signerCertificate }: CmsSignature,
    enclosed: readonly Uint8Array[],
    role: Role,
  ): Promise<void> => {
    if (signerCertificate === undefined)
      throw failureOf(role, "the signature holds no certificate of its signer");
    await collector.collect(signerCertificate, readCertificates([...enclosed, ...known]), role);
  };
  const cms = readCms(contents);
  const role = cms.contentType === oids.tstInfo ? "stamper" : "signer";
  for (const signer of cms.signers) {
    await collectSigner(signer, cms.certificates, role);
    for (const { bytes } of signer.unsignedAttributes.get(oids.timestampToken) ?? []) {
      const token = readCms(bytes);
      for (const stamper of token.signers) await collectSigner(stamper, token.certificates, "stamper");
    }
  }
  const data = collector.data();
  return { ...data, related: [{ contents, ...data }] };
};
