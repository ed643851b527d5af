import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import { DamagedPdf, NeedsPassword } from "../damaged.ts";
import { countOf, type Entries, type PdfValue } from "./pdf-value.ts";
import { rc4 } from "./rc4.ts";

/** Fills a password to 32 bytes (ISO 32000-1, algorithm 2, step a). */
const padding = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");

/**
 * The key of a file that opens with this user password, from its encryption dictionary and its first
 * identifier (ISO 32000-2, 7.6.4). Throws NeedsPassword for another password, and DamagedPdf for an unknown
 * encryption.
 */
export const fileKeyOf = (encryption: Entries, id: Uint8Array, password: string): Uint8Array => {
  const revision = countOf(encryption.get("R")) ?? 0;
  if (revision < 2 || revision > 6) throw new DamagedPdf("the file is encrypted in an unknown way");
  const key =
    revision < 5
      ? oldKeyOf(encryption, id, revision, Buffer.from(password, "latin1"))
      : newKeyOf(encryption, revision, Buffer.from(password.normalize("NFKC")).subarray(0, 127));
  if (key === undefined) throw new NeedsPassword("the file needs a password");
  return key;
};

/** The bytes of a string; none for another value. */
export const bytesOf = (value: PdfValue | undefined): Uint8Array =>
  value?.kind === "string" ? value.bytes : new Uint8Array();

const md5 = (...parts: readonly Uint8Array[]): Buffer =>
  createHash("md5").update(Buffer.concat(parts)).digest();

/** Algorithms 2, 4 and 5. */
const oldKeyOf = (
  encryption: Entries,
  id: Uint8Array,
  revision: number,
  password: Uint8Array,
): Uint8Array | undefined => {
  const length = keyBytesOf(encryption, revision);
  if (!Number.isInteger(length) || length < 5 || length > 16)
    throw new DamagedPdf("the file's key has an impossible length");
  const permissions = encryption.get("P");
  const flags = Buffer.alloc(4);
  flags.writeUInt32LE((permissions?.kind === "number" ? permissions.value : 0) >>> 0);
  const metadata = encryption.get("EncryptMetadata");
  const isOpen = revision >= 4 && metadata?.kind === "boolean" && !metadata.value;
  let hash = md5(
    Buffer.concat([password, padding]).subarray(0, 32),
    bytesOf(encryption.get("O")).subarray(0, 32),
    flags,
    id,
    isOpen ? Buffer.alloc(4, 0xff) : Buffer.alloc(0),
  );
  if (revision > 2) for (let round = 0; round < 50; round++) hash = md5(hash.subarray(0, length));
  const key = hash.subarray(0, length);
  const user = Buffer.from(bytesOf(encryption.get("U")));
  if (revision === 2) return user.equals(Buffer.from(rc4(key, padding))) ? key : undefined;
  let check: Uint8Array = md5(padding, id);
  for (let round = 0; round < 20; round++)
    check = rc4(
      key.map((byte) => byte ^ round),
      check,
    );
  return user.subarray(0, 16).equals(check) ? key : undefined;
};

/** Writers of version 4 leave the length out, or write it in bytes. */
const keyBytesOf = (encryption: Entries, revision: number): number => {
  if (revision === 2) return 5;
  return countOf(encryption.get("V")) === 4 ? 16 : (countOf(encryption.get("Length")) ?? 40) / 8;
};

/** Algorithms 2.A and 11. */
const newKeyOf = (encryption: Entries, revision: number, password: Uint8Array): Uint8Array | undefined => {
  const user = Buffer.from(bytesOf(encryption.get("U")));
  const sealed = bytesOf(encryption.get("UE")).subarray(0, 32);
  if (user.length < 48 || sealed.length < 32) throw new DamagedPdf("the file's encryption is damaged");
  const hash = (salt: Uint8Array): Buffer =>
    revision === 5 ? sha256(Buffer.concat([password, salt])) : hardenedHash(password, salt);
  if (!user.subarray(0, 32).equals(hash(user.subarray(32, 40)))) return undefined;
  const opener = createDecipheriv("aes-256-cbc", hash(user.subarray(40, 48)), Buffer.alloc(16));
  return opener.setAutoPadding(false).update(sealed);
};

const sha256 = (data: Uint8Array): Buffer => createHash("sha256").update(data).digest();

/** Algorithm 2.B for a user password: 64 rounds, and more until the last byte ends them. */
const hardenedHash = (password: Uint8Array, salt: Uint8Array): Buffer => {
  let key = sha256(Buffer.concat([password, salt]));
  for (let round = 1, last = 0; round <= 64 || last > round - 1 - 32; round++) {
    const block = Buffer.concat(Array.from({ length: 64 }, () => [password, key]).flat());
    const cipher = createCipheriv("aes-128-cbc", key.subarray(0, 16), key.subarray(16, 32));
    const mixed = cipher.setAutoPadding(false).update(block);
    const rest = mixed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = createHash(["sha256", "sha384", "sha512"][rest]!).update(mixed).digest();
    last = mixed.at(-1)!;
  }
  return key.subarray(0, 32);
};
