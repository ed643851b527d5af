import { createHash, randomBytes } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";

/** The key that wraps all data keys: 32 bytes that stand outside the store. `id` names it without telling it. */
export type MasterKey = { readonly id: string; readonly bytes: Uint8Array };

/** 8 bytes of SHA-256, in hex: enough to tell two masters apart, nothing to guess the key from. */
export const masterKeyOf = (bytes: Uint8Array): MasterKey => {
  if (bytes.length !== 32) {
    throw new Error(`A master key has 32 bytes, this one has ${bytes.length}`);
  }
  const id = createHash("sha256").update("idem master key").update(bytes).digest("hex").slice(0, 16);
  return { id, bytes };
};

/** Writes a new random master key as one line of 64 hex characters; throws when the file exists. */
export const createMasterKey = async (path: string): Promise<MasterKey> => {
  const bytes = randomBytes(32);
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(`${bytes.toString("hex")}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return masterKeyOf(bytes);
};

/** Reads a master key file. Throws, with the way out, when others can read it or it holds something else. */
export const readMasterKey = async (path: string): Promise<MasterKey> => {
  const file = await open(path, "r");
  try {
    return await readChecked(file, path);
  } finally {
    await file.close();
  }
};

const readChecked = async (file: FileHandle, path: string): Promise<MasterKey> => {
  // Asked of the open file, so that it cannot be exchanged between the check and the reading.
  const { mode, size } = await file.stat();
  if ((mode & 0o077) !== 0) {
    throw new Error(`The master key file ${path} can be read by others. Run: chmod 600 ${path}`);
  }
  const text = size <= 128 ? (await file.readFile("utf8")).trim() : "";
  if (!/^[0-9a-f]{64}$/i.test(text)) {
    throw new Error(`The master key file ${path} must hold one line of 64 hex characters`);
  }
  return masterKeyOf(Buffer.from(text, "hex"));
};
