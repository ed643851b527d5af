import { type Call, PageError } from "./call.ts";
import {
  aheadOf,
  offsetOf,
  readStepAnswer,
  type Side,
  type StepAnswer,
  type StepName,
  uploadIdOf,
} from "./page-state.ts";

export type UploadPart = {
  readonly step: StepName;
  readonly side?: Side;
  readonly bytes: Uint8Array;
  readonly source: "camera" | "upload" | "handoff";
};

export type UploadDeps = {
  readonly call: Call;
  /** Waits; ends early when the connection is back. Rejects when the capture was cancelled. */
  readonly pause: (ms: number) => Promise<void>;
  readonly report: (share: number) => void;
  readonly reportOffline: (isOffline: boolean) => void;
  /**
   * After the last byte: captures that the service judges before this one; undefined for none that is known.
   */
  readonly reportAhead: (ahead: number | undefined) => void;
};

/** A piece holds this many bytes: the service takes 256 KiB, and a slow uplink sends one in some seconds. */
export const pieceBytes = 192 * 1024;

/**
 * Pauses after a failed call, and after it the last again and again: a connection may be away for minutes.
 */
export const pausesMs = [500, 1_000, 2_000, 4_000, 8_000] as const;
/** So many tries in a row without an answer, then the person decides: about three minutes. */
const triesMax = 25;

/**
 * An idle service has judged before this time; a person who waits for longer learns the place at this pace.
 */
export const askPlaceMs = 5_000;

/**
 * What is worth a new try: no connection, a service that is busy, starts or drains, and a judgement that goes
 * on.
 */
const isTransient = (error: unknown): boolean =>
  error instanceof PageError &&
  (error.status === 0 ||
    error.status >= 500 ||
    error.code === "capture_judging" ||
    error.code === "rate_limited");

const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const sha256 = async (bytes: Uint8Array): Promise<string> =>
  hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes))));

const chunk = 0x8000;

export const toBase64 = (bytes: Uint8Array): string => {
  let text = "";
  for (let at = 0; at < bytes.length; at += chunk) {
    text += String.fromCharCode(...bytes.subarray(at, at + chunk));
  }
  return btoa(text);
};

/** Repeats a call until it is answered. */
const persist = async <Value>(deps: UploadDeps, act: () => Promise<Value>): Promise<Value> => {
  for (let tries = 0; ; tries++) {
    try {
      const value = await act();
      deps.reportOffline(false);
      return value;
    } catch (error) {
      if (!isTransient(error) || tries >= triesMax) throw error;
      deps.reportOffline(error instanceof PageError && error.status === 0);
      await deps.pause(pausesMs[Math.min(tries, pausesMs.length - 1)]!);
    }
  }
};

/**
 * Sends the bytes in pieces and returns the judgement. After a lost answer the service states how far it has
 * come, and the upload goes on from there: nothing is sent twice, and a judged upload answers the same again.
 */
export const upload = async (part: UploadPart, deps: UploadDeps): Promise<StepAnswer> => {
  const { bytes, ...announced } = part;
  const announcement = { ...announced, bytes: bytes.length, sha256: await sha256(bytes) };
  const begun = await persist(deps, () => deps.call("/uploads", announcement));
  const path = `/uploads/${encodeURIComponent(uploadIdOf(begun))}`;
  let [offset, stalls] = [offsetOf(begun), 0];
  while (offset < bytes.length) {
    deps.report(offset / bytes.length);
    const reached = await sendPiece(bytes, offset, path, deps);
    stalls = reached > offset ? 0 : stalls + 1;
    if (stalls > triesMax) throw new PageError("page_offline", 0);
    offset = reached;
  }
  deps.report(1);
  deps.reportAhead(undefined);
  const over = new AbortController();
  void reportPlace(path, deps, over.signal);
  try {
    return readStepAnswer(await persist(deps, () => deps.call(`${path}/finish`, {})));
  } finally {
    over.abort();
  }
};

/** Reports the place of an upload that waits for its judgement, until that is over. */
const reportPlace = async (path: string, deps: UploadDeps, over: AbortSignal): Promise<void> => {
  try {
    while (!over.aborted) {
      await deps.pause(askPlaceMs);
      // The call of the judgement itself reports a lost connection and a session that has ended.
      const shown = over.aborted ? undefined : await deps.call(path, undefined).catch(() => undefined);
      if (!over.aborted && shown !== undefined) deps.reportAhead(aheadOf(shown));
    }
  } catch {
    // The person has left: `pause` rejects.
  }
};

/** The offset after one piece. A piece that was refused, or whose answer was lost, is settled by asking. */
const sendPiece = async (
  bytes: Uint8Array,
  offset: number,
  path: string,
  deps: UploadDeps,
): Promise<number> => {
  try {
    const data = toBase64(bytes.subarray(offset, offset + pieceBytes));
    return offsetOf(await deps.call(`${path}/pieces`, { offset, data }));
  } catch (error) {
    const isLost =
      isTransient(error) || (error instanceof PageError && error.code === "capture_piece_refused");
    if (!isLost) throw error;
    deps.reportOffline(error instanceof PageError && error.status === 0);
    await deps.pause(pausesMs[0]);
    return offsetOf(await persist(deps, () => deps.call(path, undefined)));
  }
};
