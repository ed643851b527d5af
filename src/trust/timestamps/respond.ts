/** The authority of RFC 3161 on the answering side: for development, and for sites without a way out. */
import { createHash, randomBytes } from "node:crypto";
import { readCertificate } from "#trust/asn1/certificate";
import {
  booleanOf,
  childrenWithTag,
  type Der,
  DerError,
  expectTag,
  oidOf,
  readDer,
  smallIntegerOf,
  tags,
} from "#trust/asn1/der";
import { hashBytes, hashNames, oids } from "#trust/asn1/oids";
import {
  generalizedTime,
  integer,
  namedBit,
  oid,
  sequence,
  smallInteger,
  utf8String,
} from "#trust/asn1/write-der";
import { type CmsSigner, makeSignedData } from "#trust/asn1/write-signed-data";
import { type Authority, verifying } from "./authority.ts";
import type { Roots } from "./trust.ts";
import { isForTimestamps } from "./verify-token.ts";

/** Answers a TimeStampReq with a TimeStampResp: a token, or a refusal. Made by {@link makeRespond}. */
export type RespondToRequest = (request: Uint8Array) => Promise<Uint8Array>;

export type RespondOptions = {
  /** Its certificate has the extended key usage timeStamping alone, and critical. */
  readonly signer: CmsSigner;
  readonly clock: () => Date;
};

/**
 * The only policy: best practices for time-stamps (ETSI EN 319 421, 5.2, BTSP) is `0.4.0.2023.1.1`, which
 * this authority does not fulfil. This number stands under the arc of examples (2.999, ITU-T X.660).
 */
export const policyId = "2.999.1.1";

/** PKIFailureInfo (RFC 3161, 2.4.2). */
const failures = {
  badAlg: 0,
  badRequest: 2,
  badDataFormat: 5,
  unacceptedPolicy: 15,
  unacceptedExtension: 16,
  systemFailure: 25,
} as const;

/** A request is some 60 bytes: the largest hash, a nonce, a policy. */
const requestBytesMax = 1024;
/** A longer nonce is refused. Clients send 8 to 20 bytes. */
const nonceBytesMax = 64;
/**
 * Unique over restarts and processes by chance alone: 127 random bits (RFC 3161, 2.4.2, asks for up to 160).
 */
const serialBytes = 16;
/** The clock of the machine is set by NTP, to a second. */
const accuracySeconds = 1;

class RefusedRequest extends Error {
  override readonly name = "RefusedRequest";
  readonly failure: keyof typeof failures;

  constructor(failure: keyof typeof failures, message: string) {
    super(message);
    this.failure = failure;
  }
}

/** Throws Error for a certificate that is not for time-stamps alone. */
export const makeRespond = ({ signer, clock }: RespondOptions): RespondToRequest => {
  const certificate = readCertificate(signer.certificate);
  if (!isForTimestamps(certificate)) {
    throw new Error(
      "The certificate of a time-stamping authority is for time-stamps alone, and says so critically",
    );
  }
  return async (request) => {
    try {
      const read = readRequest(request);
      const now = clock();
      if (now.getTime() < certificate.validFrom || now.getTime() > certificate.validTo) {
        throw new RefusedRequest("systemFailure", "The certificate of the authority is not valid now");
      }
      return sequence(sequence(smallInteger(0)), await makeToken(signer, read, now));
    } catch (error) {
      if (error instanceof RefusedRequest) return refuse(error);
      throw error;
    }
  };
};

/** PKIStatusInfo: rejection (2), the reason in words, and its bit. */
const refuse = ({ failure, message }: RefusedRequest): Uint8Array =>
  sequence(sequence(smallInteger(2), sequence(utf8String(message)), namedBit(failures[failure])));

type TimestampRequest = {
  readonly imprint: Der;
  readonly nonce: Der | undefined;
  readonly asksForCertificates: boolean;
};

const readRequest = (bytes: Uint8Array): TimestampRequest => {
  try {
    if (bytes.length > requestBytesMax) throw new DerError("The request is too long");
    const [version, imprint, ...rest] = childrenWithTag(readDer(bytes), tags.sequence);
    if (smallIntegerOf(version) !== 1) throw new RefusedRequest("badRequest", "The version is not 1");
    requireImprint(imprint);
    requireOptions(rest);
    const certificates = rest.find(({ tag }) => tag === tags.boolean);
    return {
      imprint: expectTag(imprint, tags.sequence),
      nonce: rest.find(({ tag }) => tag === tags.integer),
      asksForCertificates: certificates !== undefined && booleanOf(certificates),
    };
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    throw new RefusedRequest("badDataFormat", "The bytes are no request for a time-stamp");
  }
};

const requireImprint = (imprint: Der | undefined): void => {
  const [algorithm, digest] = childrenWithTag(imprint, tags.sequence);
  const hash = hashNames.get(oidOf(childrenWithTag(algorithm, tags.sequence)[0]));
  if (hash === undefined) throw new RefusedRequest("badAlg", "Send a hash of SHA-256, SHA-384 or SHA-512");
  if (expectTag(digest, tags.octetString).content.length !== hashBytes[hash]) {
    throw new RefusedRequest("badDataFormat", "The hash has another length than its function gives");
  }
};

const optionTags: readonly number[] = [tags.oid, tags.integer, tags.boolean];

const requireOptions = (options: readonly Der[]): void => {
  const policy = options.find(({ tag }) => tag === tags.oid);
  if (policy !== undefined && oidOf(policy) !== policyId) {
    throw new RefusedRequest("unacceptedPolicy", `The only policy is ${policyId}`);
  }
  if (options.some(({ tag }) => tag === extensionsTag)) {
    throw new RefusedRequest("unacceptedExtension", "No extension is known");
  }
  const nonce = options.find(({ tag }) => tag === tags.integer);
  if (
    options.some(({ tag }) => !optionTags.includes(tag)) ||
    new Set(options.map(({ tag }) => tag)).size < options.length ||
    (nonce !== undefined && nonce.content.length > nonceBytesMax)
  ) {
    throw new DerError("The request has other fields");
  }
};

/** `[0] IMPLICIT Extensions`. */
const extensionsTag = 0xa0;

const makeToken = async (
  signer: CmsSigner,
  { imprint, nonce, asksForCertificates }: TimestampRequest,
  now: Date,
): Promise<Uint8Array> => {
  const serial = randomBytes(serialBytes);
  // A number of full length: its first bit is 0, the second 1.
  serial[0] = (serial[0]! & 0x3f) | 0x40;
  const content = sequence(
    smallInteger(1),
    oid(policyId),
    imprint.bytes,
    integer(serial),
    generalizedTime(now, true),
    sequence(smallInteger(accuracySeconds)),
    ...(nonce === undefined ? [] : [nonce.bytes]),
  );
  const { encode } = await makeSignedData({
    signer,
    digest: createHash(signer.hash).update(content).digest(),
    contentType: oids.tstInfo,
    content,
    signingTime: now,
    ...(!asksForCertificates && { certificates: [] }),
  });
  return encode();
};

export type EmbeddedOptions = RespondOptions & { readonly roots: Roots };

/** The authority in this process: no request leaves it. Its tokens are verified like those of others. */
export const makeEmbeddedAuthority = ({ roots, ...options }: EmbeddedOptions): Authority => {
  const name = "embedded";
  return { name, stamp: verifying({ name, exchange: makeRespond(options), roots, clock: options.clock }) };
};
