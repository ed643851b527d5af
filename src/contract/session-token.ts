import { createHash } from "node:crypto";

/**
 * The credential of a capture page: it opens one capture session and nothing else. 32 random bytes, so that a
 * guess has a chance of 2^-256; the store holds its hash alone.
 */
const prefix = "idem_capture_";
const randomBytesCount = 32;

/** Makes a token from 32 random bytes. */
export const makeSessionToken = (randomBytes: (count: number) => Uint8Array): string =>
  `${prefix}${Buffer.from(randomBytes(randomBytesCount)).toString("base64url")}`;

/** Whether a text has the form of a session token: other texts never reach the store. */
export const mayBeSessionToken = (text: string): boolean => /^idem_capture_[A-Za-z0-9_-]{43}$/.test(text);

/** SHA-256 in hex. The token has full entropy, so its hash needs no salt. */
export const hashSessionToken = (token: string): string => createHash("sha256").update(token).digest("hex");

/** The token of a header `Authorization: Bearer <token>`; undefined for any other. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
