/** The choice of the best of several frames that may be captured. */
export type BestFrame = {
  /** Since when every frame may be captured; absent while one may not. */
  readonly readySince?: number;
  readonly seen: number;
  readonly bestScore: number;
};

export const bestFrameLimits = {
  /** So long the frames may be captured before the first is kept: a person has stopped by then. */
  readyMs: 500,
  /** Five frames or seven tenths of a second, whichever is first: after that a person begins to move. */
  framesMax: 5,
  spanMs: 700,
} as const;

export const startBestFrame: BestFrame = { seen: 0, bestScore: Number.NEGATIVE_INFINITY };

export type Looked = {
  readonly mayCapture: boolean;
  /** The person pressed the shutter: this frame, whatever it shows. */
  readonly isWanted: boolean;
  readonly score: number;
  readonly now: number;
};

export type BestFrameStep = {
  readonly next: BestFrame;
  /** Keep this frame in place of the kept one. */
  readonly keeps: boolean;
  /** The kept frame is the choice. */
  readonly isDone: boolean;
};

export const addLook = (before: BestFrame, { mayCapture, isWanted, score, now }: Looked): BestFrameStep => {
  if (isWanted) return { next: before, keeps: true, isDone: true };
  if (!mayCapture) return { next: startBestFrame, keeps: false, isDone: false };
  const readySince = before.readySince ?? now;
  const waited = now - readySince - bestFrameLimits.readyMs;
  if (waited < 0) return { next: { ...startBestFrame, readySince }, keeps: false, isDone: false };
  const keeps = score > before.bestScore;
  const next = { readySince, seen: before.seen + 1, bestScore: keeps ? score : before.bestScore };
  return { next, keeps, isDone: next.seen >= bestFrameLimits.framesMax || waited >= bestFrameLimits.spanMs };
};
