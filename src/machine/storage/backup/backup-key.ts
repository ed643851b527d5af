import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import { BackupFault } from "./backup-fault.ts";

/** A key pair of X25519 (RFC 7748) as PEM (RFC 8410), as `openssl genpkey -algorithm X25519` writes it. */
export const makeBackupKey = (): { readonly secretPem: string; readonly publicPem: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("x25519");
  return {
    secretPem: privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
    publicPem: publicKey.export({ format: "pem", type: "spki" }).toString(),
  };
};

/** The public key of a PEM text, or of the secret key in it. Throws BackupFault; `where` names the file. */
export const readPublicKey = (pem: string, where: string): KeyObject =>
  requireX25519(() => createPublicKey(pem), where, "public");

/** The secret key of a PEM text. Throws BackupFault; `where` names the file. */
export const readSecretKey = (pem: string, where: string): KeyObject =>
  requireX25519(() => createPrivateKey(pem), where, "secret");

const requireX25519 = (read: () => KeyObject, where: string, kind: string): KeyObject => {
  try {
    const key = read();
    if (key.asymmetricKeyType === "x25519") return key;
  } catch {
    // The parser quotes parts of the text, which may be a secret.
  }
  throw new BackupFault(
    `${where} holds no ${kind} key of X25519 as PEM. Make a pair: idem backup key --out FILE`,
  );
};

/** The 32 bytes of the public key. */
export const publicBytesOf = (key: KeyObject): Buffer => {
  const { x = "" } = (key.type === "private" ? createPublicKey(key) : key).export({ format: "jwk" });
  return Buffer.from(x, "base64url");
};

/** 8 bytes of SHA-256 over the public key: the name of the pair in a backup and in messages, as hex. */
export const recipientIdOf = (key: KeyObject): string =>
  createHash("sha256").update("idem backup recipient").update(publicBytesOf(key)).digest("hex").slice(0, 16);
