/** Kinds of evidence that this module writes. */
export const captureEvidenceKinds = ["capture_consented", "capture_judged"] as const;

/** Bounds of capture sessions. Stored decisions name the version. */
export type CapturePolicy = {
  readonly version: string;
  /** Images of a step that may be refused before it fails. */
  readonly triesMax: number;
  /**
   * So many refusals that speak of an attack, within `failureWindowMs`, pause a customer, a page key or a
   * session for `pauseMs`.
   */
  readonly failuresMax: number;
  readonly failureWindowMs: number;
  readonly pauseMs: number;
  /**
   * So many refusals of the last `addressWindowMs` use up the budget of an address. A good capture of a face
   * gives one back.
   */
  readonly addressFailuresMax: number;
  readonly addressWindowMs: number;
  /** Uploads that a session may begin. */
  readonly uploadsMax: number;
  /**
   * Challenges that a session may ask for: each one is a new order, which an attacker would choose by asking
   * again.
   */
  readonly challengesMax: number;
  /** How often one upload may be judged: its judgement broke, or the process died. */
  readonly judgingMax: number;
  /** A judgement that has not ended by then has died with its process. */
  readonly judgingMs: number;
  readonly handoffMs: number;
};

/**
 * Three tries, and 30 minutes after five failures in three minutes: the figures of AWS Face Liveness's
 * service card for retries, and our design of the challenge. 20 uploads: three tries of three images, each
 * begun twice. Six challenges: two for each try, so that a page may be loaded anew, taken over or started
 * again in each (decision 72 has the chance of a blind guess). A judgement takes up to the time limit of a
 * call (30 s) and one minute in the queue. Ten minutes suffice to find a telephone.
 *
 * Address: 50 refusals in the length of a pause, as many as ten persons have who are all paused. A person who
 * is not an attacker has such a refusal in at most 15 of 100 tries (docs/guides/understand/liveness.md:
 * planned, not measured), so one given back by each good capture pays for the honest persons behind an
 * address six times over.
 */
export const defaultCapturePolicy: CapturePolicy = {
  version: "capture-3",
  triesMax: 3,
  failuresMax: 5,
  failureWindowMs: 180_000,
  pauseMs: 1_800_000,
  addressFailuresMax: 50,
  addressWindowMs: 1_800_000,
  uploadsMax: 20,
  challengesMax: 6,
  judgingMax: 3,
  judgingMs: 60_000,
  handoffMs: 600_000,
};
