import type { SignerIdentity } from "#trust/revocation/ports";
import { type Level, reaches } from "./level.ts";

/**
 * Bytes of a signature without certificates and time-stamp: the attributes take some 400, an RSA signature of
 * 4096 bits 512, identifiers and lengths the rest.
 */
const bareBytes = 2_500;

/** A time-stamp token with its certificates takes 3 to 8 kB. The rest is for longer chains. */
export const tokenBytes = 10_000;

/**
 * The second signature and its token may be some bytes larger than the first: integers of DER vary in length.
 */
export const spareBytes = 512;

/**
 * Bytes to reserve for the signature, from the sizes of its certificates. Where a token is larger, the
 * signature is made once more with the size that it needs.
 */
export const reserveFor = ({ certificate, chain }: SignerIdentity, level: Level): number =>
  bareBytes +
  [certificate, ...chain].reduce((sum, { length }) => sum + length, 0) +
  (reaches(level, "B-T") ? tokenBytes : 0);
