import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Entry, readArchive, writeArchive } from "./archive.ts";
import { makeBackupKey, readPublicKey, readSecretKey, recipientIdOf } from "./backup-key.ts";
import { makeByteReader } from "./byte-reader.ts";
import { openStream, sealStream } from "./envelope.ts";

const pair = makeBackupKey();
const recipient = readPublicKey(pair.publicPem, "recipient.pem");
const secret = readSecretKey(pair.secretPem, "secret.pem");
const partBytes = 1024 * 1024;
const headBytes = 49;

async function* pieces(bytes: Buffer, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const collect = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const all: Uint8Array[] = [];
  for await (const piece of stream) all.push(piece);
  return Buffer.concat(all);
};

const bytesOf = (length: number): Buffer => Buffer.from(Uint8Array.from({ length }, (_, n) => n % 251));

const seal = (plain: Buffer): Promise<Buffer> => collect(sealStream(recipient, pieces(plain, 70_000)));
const open = (sealed: Buffer, key = secret): Promise<Buffer> =>
  collect(openStream(key, pieces(sealed, 33_333)));

describe("the envelope of a backup", () => {
  it.each([0, 1, partBytes - 1, partBytes, partBytes + 1, 2 * partBytes])(
    "opens %i bytes as they were",
    async (length) => {
      const plain = bytesOf(length);
      const sealed = await seal(plain);
      expect(sealed.length).toBe(headBytes + length + 16 * Math.max(1, Math.ceil(length / partBytes)));
      expect((await open(sealed)).equals(plain)).toBe(true);
    },
  );

  it("does not open with another key, and names both", async () => {
    const other = makeBackupKey();
    const key = readSecretKey(other.secretPem, "other.pem");
    const refusal = await open(await seal(bytesOf(10)), key).catch((error: Error) => error.message);
    expect(refusal).toContain(recipientIdOf(secret));
    expect(refusal).toContain(recipientIdOf(key));
  });

  it.each([0, 8, 9, 17, headBytes, headBytes + 500, headBytes + partBytes + 20])(
    "does not open with byte %i changed",
    async (at) => {
      const sealed = await seal(bytesOf(partBytes + 1000));
      sealed[at] = sealed[at]! ^ 1;
      await expect(open(sealed)).rejects.toThrow(/no backup|version|Wrong key|head|changed/);
    },
  );

  it.each([1, 17, partBytes + 16, partBytes + 17])("does not open without its last %i bytes", async (cut) => {
    const sealed = await seal(bytesOf(2 * partBytes + 1));
    await expect(open(sealed.subarray(0, -cut))).rejects.toThrow("cut off");
  });

  it("does not open with two parts exchanged, or with bytes behind its end", async () => {
    const sealed = await seal(bytesOf(2 * partBytes));
    const part = partBytes + 16;
    const [head, one, two] = [0, headBytes, headBytes + part].map((at, n) =>
      sealed.subarray(at, n === 0 ? headBytes : at + part),
    );
    await expect(open(Buffer.concat([head!, two!, one!]))).rejects.toThrow("changed");
    await expect(open(Buffer.concat([sealed, Buffer.of(0)]))).rejects.toThrow(/changed|cut off/);
  });

  it.each(["", "text", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])(
    "takes no other text as a key: %j",
    (text) => {
      expect(() => readSecretKey(text, "key.pem")).toThrow("key.pem holds no secret key");
    },
  );

  it("takes no key of another kind", () => {
    const { publicKey } = generateKeyPairSync("ed25519");
    const pem = publicKey.export({ format: "pem", type: "spki" }).toString();
    expect(() => readPublicKey(pem, "key.pem")).toThrow("key.pem holds no public key of X25519");
  });
});

async function* entriesOf(...entries: readonly Entry[]): AsyncGenerator<Entry> {
  yield* entries;
}

const head: Entry = {
  kind: "statement",
  line: { type: "backup", format: 1, release: "0.1.0", schema: 3, store: "embedded", at: 5, masterKeys: [] },
};
const lost: Entry = { kind: "statement", line: { type: "absent", name: "b", reason: "missing" } };
const fileOf = (name: string, content: Buffer, bytes = content.length): Entry => ({
  kind: "file",
  file: { name, bytes, content: pieces(content, 1000) },
});

/** The names and lengths that a reader gets. */
const read = async (plain: Buffer) => {
  const seen: string[] = [];
  const { end } = await readArchive(pieces(plain, 777), {
    statement: ({ type }) => void seen.push(type),
    file: async ({ name, content }) => void seen.push(`${name} ${(await collect(content)).length}`),
  });
  return { seen, end };
};

describe("the archive of a backup", () => {
  it("gives its files in their order, and the hashes in the manifest", async () => {
    const lines: string[] = [];
    const entries = entriesOf(head, fileOf("a", bytesOf(2500)), lost, fileOf("c", bytesOf(0)));
    const plain = await collect(writeArchive(entries, (line) => void lines.push(line.type)));
    const { seen, end } = await read(plain);
    expect(seen).toStrictEqual(["backup", "a 2500", "absent", "c 0"]);
    expect(end).toMatchObject({ files: 2, bytes: 2500, removed: 0, missing: 1 });
    expect(lines).toStrictEqual(["backup", "file", "absent", "file", "end"]);
  });

  it.each([10, 12])("fails for a file of 11 bytes that had %i when it was listed", async (bytes) => {
    await expect(collect(writeArchive(entriesOf(fileOf("a", bytesOf(11), bytes))))).rejects.toThrow(
      "has changed",
    );
  });

  it("refuses a changed byte, a missing end, a line that is too long, and bytes behind the end", async () => {
    const plain = await collect(writeArchive(entriesOf(head, fileOf("a", bytesOf(2500)))));
    const changed = Buffer.from(plain);
    changed[400] = changed[400]! ^ 1;
    await expect(read(changed)).rejects.toThrow("The hash of a differs");
    await expect(read(plain.subarray(0, 1000))).rejects.toThrow("a ends after");
    await expect(read(plain.subarray(0, -20))).rejects.toThrow("end is missing");
    await expect(read(Buffer.alloc(5000, 0x20))).rejects.toThrow("too long");
    await expect(read(Buffer.concat([plain, Buffer.of(0x0a)]))).rejects.toThrow("Bytes follow");
  });
});

describe("a reader of bytes", () => {
  it.each([
    [4, "abcd"],
    [3, undefined],
  ])("takes a line of four bytes where %i are allowed", async (most, line) => {
    const reader = makeByteReader(pieces(Buffer.from("abcd\nrest"), 3));
    expect((await reader.takeLine(most))?.toString()).toBe(line);
  });
});
