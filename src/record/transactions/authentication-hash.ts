import { timingSafeEqual } from "node:crypto";
import { canonicalJson } from "#contract/canonical-json";
import { facialAuthenticationNumber } from "#contract/facial-authentication";
import type { Json } from "#contract/json";
import { livenessNumber } from "#contract/liveness";
import { authenticateUserResult } from "#contract/result-code";
import type { Keyring } from "#machine/storage/blobs";
import type { TransactionRecord } from "./record.ts";

/** The parts of a record that the hash covers, and the measurements, which hold the hashes of open images. */
export type AuthenticationRecord = Pick<
  TransactionRecord,
  "tenantId" | "environment" | "id" | "endpoint" | "at" | "result" | "tokenHashes" | "measurements"
>;

/**
 * The `facialAuthenticationHash` of an answered call: 128 upper-case hexadecimal digits. Undefined where the
 * call is no positive authentication. Made by {@link makeHashAuthentication}.
 */
export type HashAuthentication = (record: AuthenticationRecord) => Promise<string | undefined>;

/**
 * Whether `sent` is the hash of this record. Compares in constant time. Made by
 * {@link makeCheckAuthentication}.
 */
export type CheckAuthentication = (record: AuthenticationRecord, sent: string) => Promise<boolean>;

type Group = { readonly [key: string]: Json };

const isGroup = (value: Json | undefined): value is Group =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isSamePerson = ({ facial }: Group): boolean => facial === facialAuthenticationNumber.Positive;

const isAuthenticated = ({ code }: Group): boolean => code === authenticateUserResult.authenticated.code;

/** What makes each call positive. A call that is not listed authenticates no one. */
const positives: ReadonlyMap<string, (result: Group) => boolean> = new Map([
  ["identity", (result: Group) => isSamePerson(result) && result["liveness"] === livenessNumber.Live],
  ["authenticateFacial", isSamePerson],
  ["authenticateUser", isAuthenticated],
  ["authenticateUserV2", isAuthenticated],
  ["civilValidation", isSamePerson],
]);

/** Whether an answered call states that the person is the person of the reference. */
export const isPositive = ({ endpoint, result }: Pick<TransactionRecord, "endpoint" | "result">): boolean =>
  isGroup(result) && positives.get(endpoint)?.(result) === true;

/**
 * A civil validation has its hash in the uncertain band too, as the interface states. It is no authentication
 * there.
 */
const isUncertain = ({ endpoint, result }: Pick<TransactionRecord, "endpoint" | "result">): boolean =>
  endpoint === "civilValidation" &&
  isGroup(result) &&
  result["facial"] === facialAuthenticationNumber.Uncertain;

/**
 * The text under the hash: canonical JSON of who asked, what was answered, over which images, and when.
 * `version` changes with its members. Every member comes from the stored record, so that the text can be made
 * again.
 */
const textOf = (record: AuthenticationRecord): string =>
  canonicalJson({
    version: 1,
    tenant: record.tenantId,
    environment: record.environment,
    transaction: record.id,
    endpoint: record.endpoint,
    at: record.at.toISOString(),
    result: record.result,
    tokens: record.tokenHashes,
    images: isGroup(record.measurements) ? (record.measurements["imageHashes"] ?? null) : null,
  });

/** HMAC-SHA-512 under a key of the tenant that never leaves the key ring. An erasure destroys the key. */
export const makeHashAuthentication =
  (keyring: Pick<Keyring, "keyedHash">): HashAuthentication =>
  async (record) => {
    if (!isPositive(record) && !isUncertain(record)) return undefined;
    const hash = await keyring.keyedHash(record.tenantId, "authentications", textOf(record));
    return Buffer.from(hash).toString("hex").toUpperCase();
  };

/** The hash is made again from the record. Upper and lower case of the digits are the same. */
export const makeCheckAuthentication =
  (hashAuthentication: HashAuthentication): CheckAuthentication =>
  async (record, sent) => {
    const hash = await hashAuthentication(record);
    if (hash === undefined || !/^[0-9A-Fa-f]{128}$/.test(sent)) return false;
    return timingSafeEqual(Buffer.from(hash, "hex"), Buffer.from(sent, "hex"));
  };
