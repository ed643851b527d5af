import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rm, stat } from "node:fs/promises";
import type { Egress, EgressAnswer } from "#machine/egress/egress";
import { findImpostor } from "./examine.ts";
import type { Manifest } from "./manifest.ts";
import { ModelNotFetched } from "./refusal.ts";

/** Receives progress of a download: bytes received, and the total length where it is known. */
export type Progress = (bytes: number, total: number | undefined) => void;

export type FetchDeps = {
  readonly egress: Egress;
  readonly progress: Progress;
  readonly signal?: AbortSignal;
};

/** Limit for a file of unknown length: twice the largest known file of its kind. */
const unknownBytesMax = 64 * 1024 ** 2;
const redirectsMax = 5;
/**
 * The largest known model, of some 400 MB, over a line of 150 kbit/s. What came is kept for the next attempt.
 */
const wholeMsMax = 6 * 3_600_000;

/** A server could not deliver the file; another address may. */
class Unavailable extends Error {
  override readonly name: string = "Unavailable";
}

/**
 * The received file is another file and was deleted. `start`: the number of its bytes from an earlier
 * attempt.
 */
class WrongFile extends Unavailable {
  override readonly name = "WrongFile";
  readonly start: number;

  constructor(message: string, start: number) {
    super(message);
    this.start = start;
  }
}

/**
 * Downloads the file of a manifest to `part`, from the first address of `urls` that has it, and returns that
 * address. Resumes an earlier attempt. Throws ModelRefused with the reason of each address: a file with
 * another hash is deleted, an incomplete file is kept for the next attempt.
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
      if (!(error instanceof Error)) throw error;
      if (error.name !== "EgressError" && !(error instanceof Unavailable)) throw error;
      reasons.push(error.message);
    }
  }
  const kept =
    (await bytesOf(part)) > 0 ? ". The received part is kept: run the same command again to resume" : "";
  const why = reasons.join("; ") || "no address is known for downloads";
  throw new ModelNotFetched(`${manifest.name} could not be fetched: ${why}${kept}`);
};

const limitOf = ({ bytes }: Manifest): number => bytes ?? unknownBytesMax;

const fetchFrom = async (url: string, manifest: Manifest, part: string, deps: FetchDeps): Promise<string> => {
  const have = await bytesOf(part);
  // Already complete where an earlier attempt ended between the last byte and the final rename.
  if (have > 0 && (await hashOf(part, have)).digest("hex") === manifest.sha256) return url;
  const from = have < limitOf(manifest) ? have : 0;
  try {
    return await download(url, { manifest, part, from }, deps);
  } catch (error) {
    if (!(error instanceof WrongFile) || error.start === 0) throw error;
    // The part from earlier, perhaps from another address, may be the wrong part.
    return await download(url, { manifest, part, from: 0 }, deps);
  }
};

type Wanted = {
  readonly manifest: Manifest;
  readonly part: string;
  /** Bytes already received. */
  readonly from: number;
};

const download = async (
  url: string,
  { manifest, part, from }: Wanted,
  { egress, progress, signal }: FetchDeps,
): Promise<string> => {
  const limit = limitOf(manifest);
  const answer = await egress(url, {
    bytesMax: limit,
    redirectsMax,
    wholeMsMax,
    ...(from > 0 && { headers: { range: `bytes=${from}-` } }),
    ...(signal !== undefined && { signal }),
  });
  const start = await startOf(answer, part, from);
  const hash = await hashOf(part, start);
  const writing = { part, start, limit, hash, progress, total: manifest.bytes };
  const end = await write(answer, writing);
  const { host } = new URL(answer.source);
  if (manifest.bytes !== undefined && end < manifest.bytes) {
    const impostor = await impostorAt(part);
    if (impostor !== undefined) await throwAway(part, start, host, impostor);
    // The received bytes may still be the beginning of the file.
    throw new Unavailable(`from ${host} only ${end} of ${manifest.bytes} bytes came`);
  }
  const found = hash.digest("hex");
  if (found === manifest.sha256) return answer.source;
  const why = `the file has SHA-256 ${found}, the manifest says ${manifest.sha256}`;
  return await throwAway(part, start, host, (await impostorAt(part)) ?? why);
};

const throwAway = async (part: string, start: number, host: string, why: string): Promise<never> => {
  await rm(part, { force: true });
  throw new WrongFile(`what came from ${host} was thrown away: ${why}`, start);
};

const bytesOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** The position of the answer's body in the file: the server may ignore ranges and send the whole file. */
const startOf = async (answer: EgressAnswer, part: string, from: number): Promise<number> => {
  if (answer.status === 200) return 0;
  const range = /^bytes (\d+)-/.exec(answer.headers["content-range"] ?? "");
  if (answer.status === 206 && range !== null && Number(range[1]) === from) return from;
  answer.discard();
  const { host } = new URL(answer.source);
  // The server's file is not longer than the received part, which is not the file.
  if (answer.status === 416)
    return await throwAway(part, from, host, "it answered 416 to a request for the rest");
  throw new Unavailable(`${host} answered ${answer.status}`);
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
 * Writes the body at its position and returns the file's length. By position, so that two concurrent attempts
 * write the same bytes over each other.
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
        const why = `it is longer than the ${limit} bytes of the file`;
        await throwAway(part, start, new URL(answer.source).host, why);
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

const impostorAt = async (part: string): Promise<string | undefined> => {
  const handle = await open(part, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(200), 0, 200, 0);
    return findImpostor(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
};
