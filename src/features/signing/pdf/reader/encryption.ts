import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { DamagedPdf, NeedsPassword } from "../damaged.ts";
import type { Steps } from "../steps.ts";
import type { DecodeBounds } from "./decode-stream.ts";
import { bytesOf, fileKeyOf } from "./file-key.ts";
import { countOf, type Entries, entriesOf, nameOf, type PdfValue } from "./pdf-value.ts";
import { rc4 } from "./rc4.ts";

/** Identity of an object: a key of its own belongs to it. */
export type ObjectId = { readonly number: number; readonly generation: number };

/** Encrypts the strings and the data of the streams of one object. */
export type Seal = {
  readonly string: (bytes: Uint8Array, id: ObjectId) => Uint8Array;
  readonly stream: (entries: Entries, raw: Uint8Array, id: ObjectId) => Uint8Array;
};

/** The encryption of a file whose key is known. */
export type FileEncryption = {
  /**
   * The value of an object as it was before the file was encrypted. What does not decrypt stays as it stands.
   */
  readonly decrypt: (value: PdfValue, id: ObjectId) => PdfValue;
  readonly seal: Seal;
};

type Method = "none" | "rc4" | "aes-128" | "aes-256";

type Cipher = (data: Uint8Array) => Uint8Array;

/** The start of a cipher takes some 2 µs. */
const cipherSteps = 200;

const counted =
  (cipher: Cipher, steps: Steps): Cipher =>
  (data) => {
    steps.take(cipherSteps + data.length);
    return cipher(data);
  };

/**
 * Opens the encryption of a file with a user password, which is empty in most files (ISO 32000-2, 7.6).
 * `load` gives an object as it is written. Throws NeedsPassword for a file with another password or for
 * certificates, and DamagedPdf for an unknown encryption.
 */
export const openEncryption = (
  trailer: Entries,
  load: (number: number) => PdfValue,
  { budget, steps, password }: DecodeBounds & { readonly password: string },
): FileEncryption | undefined => {
  const named = trailer.get("Encrypt");
  if (named === undefined) return undefined;
  const encryption = entriesOf(named.kind === "reference" ? load(named.number) : named);
  if (encryption === undefined || nameOf(encryption.get("Filter")) !== "Standard")
    throw new NeedsPassword("the file is encrypted for certificates, or in an unknown way");
  const ids = trailer.get("ID");
  const id = bytesOf(ids?.kind === "array" ? ids.items[0] : undefined);
  const key = fileKeyOf(encryption, id, password);
  const own = named.kind === "reference" ? named.number : undefined;
  const [strings, streams] = [methodOf(encryption, "StrF"), methodOf(encryption, "StmF")];
  const decrypt: FileEncryption["decrypt"] = (value, object) => {
    if (object.number === own) return value;
    const openStream = counted(decipherOf(streams, key, object), steps);
    return openValue(value, counted(decipherOf(strings, key, object), steps), (entries, raw) => {
      if (!isEncryptedStream(entries, encryption)) return raw;
      if (raw.length > budget.left()) throw new DamagedPdf("the encrypted streams are too large");
      budget.spend(raw.length);
      return openStream(raw);
    });
  };
  const seal: Seal = {
    string: (bytes, object) => cipherOf(strings, key, object)(bytes),
    stream: (entries, raw, object) =>
      isEncryptedStream(entries, encryption) ? cipherOf(streams, key, object)(raw) : raw,
  };
  return { decrypt, seal };
};

/** The method for all strings or all streams (ISO 32000-2, tables 20 and 25). */
const methodOf = (encryption: Entries, entry: string): Method => {
  const version = countOf(encryption.get("V")) ?? 0;
  if (version === 1 || version === 2) return "rc4";
  if (version !== 4 && version !== 5) throw new DamagedPdf("the file is encrypted in an unknown way");
  const name = nameOf(encryption.get(entry)) ?? "Identity";
  if (name === "Identity") return "none";
  const filter = entriesOf(entriesOf(encryption.get("CF"))?.get(name));
  const method = nameOf(filter?.get("CFM")) ?? "None";
  const known = { None: "none", V2: "rc4", AESV2: "aes-128", AESV3: "aes-256" } as const;
  const found = Object.entries(known).find(([key]) => key === method)?.[1];
  if (found === undefined) throw new DamagedPdf("the file is encrypted in an unknown way");
  return found;
};

/**
 * Sections of references are never encrypted, metadata not always, and a stream may be left out by a filter
 * of its own.
 */
const isEncryptedStream = (entries: Entries, encryption: Entries): boolean => {
  const type = nameOf(entries.get("Type"));
  const metadata = encryption.get("EncryptMetadata");
  if (type === "XRef") return false;
  if (type === "Metadata" && metadata?.kind === "boolean" && !metadata.value) return false;
  const filter = entries.get("Filter");
  return nameOf(filter?.kind === "array" ? filter.items[0] : filter) !== "Crypt";
};

const decipherOf = (method: Method, key: Uint8Array, id: ObjectId): Cipher => {
  if (method === "none") return (data) => data;
  if (method === "aes-256") return (data) => openAes("aes-256-cbc", key, data);
  const own = objectKeyOf(method, key, id);
  return (data) => (method === "rc4" ? rc4(own, data) : openAes("aes-128-cbc", own, data));
};

const cipherOf = (method: Method, key: Uint8Array, id: ObjectId): Cipher => {
  if (method === "none") return (data) => data;
  if (method === "aes-256") return (data) => sealAes("aes-256-cbc", key, data);
  const own = objectKeyOf(method, key, id);
  return (data) => (method === "rc4" ? rc4(own, data) : sealAes("aes-128-cbc", own, data));
};

/** Algorithm 1 (ISO 32000-1, 7.6.2). */
const objectKeyOf = (method: Method, key: Uint8Array, { number, generation }: ObjectId): Uint8Array => {
  const id = Buffer.alloc(5);
  id.writeUIntLE(number % 0x1_00_00_00, 0, 3);
  id.writeUIntLE(generation % 0x1_00_00, 3, 2);
  const hash = createHash("md5").update(key).update(id);
  if (method === "aes-128") hash.update("sAlT");
  return hash.digest().subarray(0, Math.min(key.length + 5, 16));
};

/** Bytes behind their initial vector, padded to blocks. */
const openAes = (name: "aes-128-cbc" | "aes-256-cbc", key: Uint8Array, data: Uint8Array): Uint8Array => {
  if (data.length < 32 || data.length % 16 !== 0) return data;
  try {
    const opener = createDecipheriv(name, key, data.subarray(0, 16));
    return Buffer.concat([opener.update(data.subarray(16)), opener.final()]);
  } catch {
    // Readers show the bytes of a text that does not decrypt.
    return data;
  }
};

/** An initial vector, and the bytes behind it. */
const sealAes = (name: "aes-128-cbc" | "aes-256-cbc", key: Uint8Array, data: Uint8Array): Uint8Array => {
  const vector = randomBytes(16);
  const sealer = createCipheriv(name, key, vector);
  return Buffer.concat([vector, sealer.update(data), sealer.final()]);
};

type OpenStream = (entries: Entries, raw: Uint8Array) => Uint8Array;

const openValue = (value: PdfValue, open: Cipher, openStream: OpenStream): PdfValue => {
  if (value.kind === "string") return { ...value, bytes: open(value.bytes) };
  if (value.kind === "array") {
    return { kind: "array", items: value.items.map((item) => openValue(item, open, openStream)) };
  }
  if (value.kind !== "dictionary" && value.kind !== "stream") return value;
  const entries = openEntries(value.entries, open, openStream);
  return value.kind === "stream"
    ? { kind: "stream", entries, raw: openStream(value.entries, value.raw) }
    : { kind: "dictionary", entries };
};

/** The value of a signature is never encrypted (ISO 32000-2, 7.6.2). */
const openEntries = (entries: Entries, open: Cipher, openStream: OpenStream): Entries => {
  const isSignature = entries.has("ByteRange");
  return new Map(
    [...entries].map(([key, value]) =>
      isSignature && key === "Contents" ? [key, value] : [key, openValue(value, open, openStream)],
    ),
  );
};
