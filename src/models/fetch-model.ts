import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rm, stat } from "node:fs/promises";
import type { Egress, EgressAnswer } from "#egress/egress";
import { findImpostor } from "./examine.ts";
import type { Manifest } from "./manifest.ts";
import { ModelRefused } from "./refusal.ts";

/** Told while a file comes: bytes that are there, and how many it has where that is known. */
export type Progress = (bytes: number, total: number | undefined) => void;

export type FetchDeps = {
  readonly egress: Egress;
  readonly progress: Progress;
  readonly signal?: AbortSignal;
};

/** Bound for a file of unknown length: twice the largest of its kind that is known. */
const unknownBytesMax = 64 * 1024 ** 2;
const redirectsMax = 5;

/** A server could not give the file; another address may. */
class Unavailable extends Error {
  override readonly name = "Unavailable";
}

/**
 * Downloads the file of a manifest to `part`, from the first of `urls` that has it, and gives the address that did. What an
 * earlier attempt left there is gone on with. Throws ModelRefused: a file with another hash is thrown away, a cut one is
 * kept for the next attempt.
 */
export const fetchModel = async (
  manifest: Manifest,
  urls: readonly string[],
  part: string,
  deps: FetchDeps,
): Promise<string> => {
  const reasons: string[] = [];
  for (const url of urls) {
    try {
      return await fetchFrom(url, manifest, part, deps);
    } catch (error) {
      deps.signal?.throwIfAborted();
      if (error instanceof ModelRefused || !(error instanceof Error)) throw error;
      if (error.name !== "EgressError" && !(error instanceof Unavailable)) throw error;
      reasons.push(error.message);
    }
  }
  const kept = (await bytesOf(part)) > 0 ? ". What came is kept: the same command goes on from there" : "";
  const why = reasons.join("; ") || "no address is known that a program can fetch from; bring it with --file";
  throw new ModelRefused(`${manifest.name} could not be fetched: ${why}${kept}`);
};

const fetchFrom = async (
  url: string,
  manifest: Manifest,
  part: string,
  { egress, progress, signal }: FetchDeps,
): Promise<string> => {
  const limit = manifest.bytes ?? unknownBytesMax;
  const have = await bytesOf(part);
  const from = have > limit ? 0 : have;
  if (from > 0 && from === manifest.bytes) {
    await requireHash(manifest, part, await hashOf(part, from));
    return url;
  }
  const answer = await egress(url, {
    bytesMax: limit,
    redirectsMax,
    ...(from > 0 && { headers: { range: `bytes=${from}-` } }),
    ...(signal !== undefined && { signal }),
  });
  const start = await startOf(answer, from);
  const hash = await hashOf(part, start);
  const end = await write(answer, { part, start, limit, hash, progress, total: manifest.bytes });
  if (manifest.bytes !== undefined && end < manifest.bytes) await refuseShort(manifest, part, end);
  await requireHash(manifest, part, hash);
  return answer.source;
};

const bytesOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Where in the file the answer's body begins: the server may not know ranges, or begin anew. */
const startOf = async (answer: EgressAnswer, from: number): Promise<number> => {
  if (answer.status === 200) return 0;
  const range = /^bytes (\d+)-/.exec(answer.headers["content-range"] ?? "");
  if (answer.status === 206 && range !== null && Number(range[1]) === from) return from;
  answer.discard();
  throw new Unavailable(`${new URL(answer.source).host} answered ${answer.status}`);
};

const hashOf = async (part: string, length: number): Promise<Hash> => {
  const hash = createHash("sha256");
  if (length === 0) return hash;
  for await (const chunk of createReadStream(part, { end: length - 1 })) {
    if (chunk instanceof Uint8Array) hash.update(chunk);
  }
  return hash;
};

type Writing = {
  readonly part: string;
  readonly start: number;
  readonly limit: number;
  readonly hash: Hash;
  readonly progress: Progress;
  readonly total: number | undefined;
};

/**
 * Writes the body at its place and gives the file's length. By position, so that two attempts at once write the same bytes
 * over each other.
 */
const write = async (
  answer: EgressAnswer,
  { part, start, limit, hash, progress, total }: Writing,
): Promise<number> => {
  const handle = await openForWriting(part);
  let at = start;
  try {
    for await (const chunk of answer.body) {
      if (at + chunk.length > limit) {
        throw new ModelRefused(
          `The server sends more than the ${limit} bytes of the file: it is another one`,
        );
      }
      await handle.write(chunk, 0, chunk.length, at);
      hash.update(chunk);
      at += chunk.length;
      progress(at, total);
    }
    await handle.truncate(at);
  } finally {
    await handle.close();
  }
  return at;
};

const openForWriting = async (part: string): Promise<FileHandle> =>
  await open(part, "r+", 0o600).catch(() => open(part, "w+", 0o600));

/** A body that ends too early, though cleanly: what is there may still be the beginning of the file, or something else. */
const refuseShort = async (manifest: Manifest, part: string, end: number): Promise<never> => {
  const impostor = await impostorAt(part);
  if (impostor !== undefined) {
    await rm(part, { force: true });
    throw new ModelRefused(`${manifest.name} was not fetched: ${impostor}`);
  }
  throw new Unavailable(`only ${end} of ${manifest.bytes} bytes came`);
};

const impostorAt = async (part: string): Promise<string | undefined> => {
  const handle = await open(part, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(200), 0, 200, 0);
    return findImpostor(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
};

const requireHash = async (manifest: Manifest, part: string, hash: Hash): Promise<void> => {
  const found = hash.digest("hex");
  if (found === manifest.sha256) return;
  const impostor = await impostorAt(part);
  await rm(part, { force: true });
  throw new ModelRefused(
    `${manifest.name} was fetched and thrown away: ${impostor ?? `the file has SHA-256 ${found}, the manifest says ${manifest.sha256}`}`,
  );
};
