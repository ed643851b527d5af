import {
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { BackupFault } from "./backup-fault.ts";
import type { LineOf } from "./manifest.ts";

/** Signs backups, and is known by its public key. Made by {@link makeBackupSigner}. */
export type BackupSigner = {
  /** The public key of Ed25519 (RFC 8032), 64 hexadecimal digits. */
  readonly key: string;
  readonly sign: (digest: Uint8Array) => LineOf<"signature">;
};

/** Algorithm identifier of Ed25519 and the head of its secret key, DER (RFC 8410, 7). */
const secretHead = Buffer.from("302e020100300506032b657004220420", "hex");
/** The head of its public key, DER (RFC 8410, 4). */
const publicHead = Buffer.from("302a300506032b6570032100", "hex");

/**
 * The signer of a deployment: its key follows from the master key (HKDF-SHA-256, RFC 5869), so that who has
 * the master key can verify a backup on an empty machine, and who has a store and the key of encryption alone
 * cannot make one.
 */
export const makeBackupSigner = (masterKey: Uint8Array): BackupSigner => {
  const seed = Buffer.from(hkdfSync("sha256", masterKey, "", "idem backup signature v1", 32));
  const secret = createPrivateKey({ key: Buffer.concat([secretHead, seed]), format: "der", type: "pkcs8" });
  const key = createPublicKey(secret)
    .export({ format: "der", type: "spki" })
    .subarray(publicHead.length)
    .toString("hex");
  return {
    key,
    sign: (digest) => ({
      type: "signature",
      key,
      signature: sign(null, messageOf(digest), secret).toString("base64url"),
    }),
  };
};

/** What the signature of a backup covers: all bytes before its line, by their SHA-512. */
export const makeDigest = () => createHash("sha512");

const messageOf = (digest: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from("idem backup signature v1\n"), digest]);

const publicKeyOf = (key: string): KeyObject =>
  createPublicKey({ key: Buffer.concat([publicHead, Buffer.from(key, "hex")]), format: "der", type: "spki" });

/** Whom a restore trusts. */
export type BackupTrust = {
  /** Public keys of signers. */
  readonly signers: readonly string[];
  /** Takes a backup without a signature, as earlier releases made them. */
  readonly takesUnsigned: boolean;
};

/**
 * Throws BackupFault unless one of the trusted signers signed the digest. A backup without a signature passes
 * on request alone, and a signature that is there must be right in any case.
 */
export const requireSignature = (
  line: LineOf<"signature"> | undefined,
  digest: Uint8Array,
  { signers, takesUnsigned }: BackupTrust,
): void => {
  if (line === undefined) {
    if (takesUnsigned) return;
    throw new BackupFault(
      "The backup has no signature, so it does not prove who made it. Backups of release 0.1.0 have none: where you know that this is one, add --unsigned.",
    );
  }
  if (signers.length === 0) {
    throw new BackupFault(
      `The backup is signed by ${line.key}, and no signer is known here. Set IDEM_MASTER_KEY to the master key of the deployment, or name the key that idem backup signer showed there with --signer.`,
    );
  }
  if (!signers.includes(line.key)) {
    throw new BackupFault(
      `The backup is signed by the foreign key ${line.key}, and not by ${signers.join(" or ")}. Where the deployment had another master key then, and idem backup signer showed this key there, add --signer ${line.key}.`,
    );
  }
  if (!isSigned(line, digest)) {
    throw new BackupFault("The signature of the backup is wrong: its content was changed. Use another copy.");
  }
};

const isSigned = ({ key, signature }: LineOf<"signature">, digest: Uint8Array): boolean => {
  try {
    return verify(null, messageOf(digest), publicKeyOf(key), Buffer.from(signature, "base64url"));
  } catch {
    // Bytes that are no key of the curve.
    return false;
  }
};
