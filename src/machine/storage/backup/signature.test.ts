import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Entry, readArchive, writeArchive } from "./archive.ts";
import { type BackupTrust, makeBackupSigner, requireSignature } from "./signature.ts";

const master = randomBytes(32);
const signer = makeBackupSigner(master);
const other = makeBackupSigner(randomBytes(32));

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

async function* entriesOf(text: string): AsyncGenerator<Entry> {
  yield {
    kind: "statement",
    line: { type: "backup", format: 2, release: "1", schema: 3, store: "embedded", at: 5, masterKeys: [] },
  };
  const content = Buffer.from(text);
  yield { kind: "file", file: { name: "idem.sqlite", bytes: content.length, content: one(content) } };
}

const write = async (text: string, by?: typeof signer): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of writeArchive(entriesOf(text), undefined, by)) pieces.push(piece);
  return Buffer.concat(pieces);
};

/** Reads in pieces of the length, so that no boundary of pieces counts. */
async function* piecesOf(bytes: Buffer, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const check = async (plain: Buffer, trust: Partial<BackupTrust> = {}, length = 7): Promise<string> => {
  const drain = async ({ content }: { readonly content: AsyncIterable<Uint8Array> }): Promise<void> => {
    for await (const _ of content);
  };
  const { signature, digest } = await readArchive(piecesOf(plain, length), {
    statement: () => undefined,
    file: drain,
  });
  requireSignature(signature, digest, { signers: [signer.key], takesUnsigned: false, ...trust });
  return "taken";
};

const partsOf = (plain: Buffer) => {
  const at = plain.lastIndexOf('{"type":"signature"');
  return { content: plain.subarray(0, at), signature: plain.subarray(at) };
};

describe("the signature of a backup", () => {
  it.each([1, 7, 64, 100_000])(
    "is taken from the deployment that made it, in pieces of %i bytes",
    async (length) => {
      expect(await check(await write("store", signer), {}, length)).toBe("taken");
      expect(await check(await write("", signer), {}, length)).toBe("taken");
    },
  );

  it("follows from the master key alone", () => {
    expect(makeBackupSigner(master).key).toBe(signer.key);
    expect(other.key).not.toBe(signer.key);
  });

  it("is refused from another signer, with the name of both and the way out", async () => {
    const foreign = check(await write("store", other));
    await expect(foreign).rejects.toThrow(`foreign key ${other.key}, and not by ${signer.key}`);
    await expect(check(await write("store", other), { takesUnsigned: true })).rejects.toThrow("foreign key");
    await expect(foreign).rejects.toThrow(`--signer ${other.key}`);
    expect(await check(await write("store", other), { signers: [signer.key, other.key] })).toBe("taken");
  });

  it("is refused where no signer is known, also with --unsigned", async () => {
    for (const takesUnsigned of [false, true]) {
      const unknown = check(await write("store", signer), { signers: [], takesUnsigned });
      await expect(unknown).rejects.toThrow("Set IDEM_MASTER_KEY");
    }
  });

  it("must be there, except on request", async () => {
    await expect(check(await write("store"))).rejects.toThrow("add --unsigned");
    expect(await check(await write("store"), { takesUnsigned: true })).toBe("taken");
    const { content } = partsOf(await write("store", signer));
    await expect(check(content)).rejects.toThrow("has no signature");
  });

  it("fits no other content, and no content in part", async () => {
    const [mine, forged] = [partsOf(await write("store", signer)), partsOf(await write("forged", other))];
    await expect(check(Buffer.concat([forged.content, mine.signature]))).rejects.toThrow(
      "signature of the backup is wrong",
    );
    const renamed = forged.signature.toString().replace(other.key, signer.key);
    await expect(check(Buffer.concat([forged.content, Buffer.from(renamed)]))).rejects.toThrow("is wrong");
    await expect(check(mine.content.subarray(0, -30))).rejects.toThrow("damaged");
    await expect(check(Buffer.concat([mine.content, mine.signature.subarray(0, -9)]))).rejects.toThrow(
      "damaged",
    );
    await expect(check(Buffer.concat([mine.content, mine.signature, mine.signature]))).rejects.toThrow(
      "Bytes follow",
    );
    await expect(check(Buffer.concat([mine.content, mine.content, mine.signature]))).rejects.toThrow(
      "Bytes follow",
    );
    await expect(check(Buffer.concat([mine.signature, mine.content]))).rejects.toThrow("before its end");
  });

  it("takes no bytes that are no key of the curve", async () => {
    const { content, signature } = partsOf(await write("store", signer));
    for (const key of ["00".repeat(32), "ff".repeat(32), `01${"00".repeat(31)}`]) {
      const changed = Buffer.from(signature.toString().replace(signer.key, key));
      await expect(check(Buffer.concat([content, changed]), { signers: [key] })).rejects.toThrow("is wrong");
    }
  });
});
