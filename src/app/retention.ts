import { failuresKeptMs } from "#features/capture/judge-pause";
import type { CapturePolicy } from "#features/capture/policy";
import type { Config } from "#machine/config/config";
import { answersKeptMs } from "./idempotency.ts";

/**
 * How long each kind of data is kept, in milliseconds. A table names its kind (`keep` of
 * `#machine/storage/table`).
 */
export type Retention = {
  /** Images of a decided validation. */
  readonly imagesMs: number;
  /** Claims that join a document number to a customer. */
  readonly numbersMs: number;
  /** Velocity events of a document or a caller's reference. */
  readonly velocityMs: number;
  /** Answered calls. */
  readonly transactionsMs: number;
  /** Decided validations (status, sealed input and sealed record), and settled verifications. */
  readonly validationsMs: number;
  /** Bodies of evidence. The entries of the chain stay for ever. */
  readonly evidenceMs: number;
  /** Settled transfers and callbacks of pension clearing. */
  readonly transfersMs: number;
  /** Kept signed documents; 0 where none is kept. */
  readonly documentsMs: number;
  /** Capture sessions, and refusals of captures while they count. */
  readonly capturesMs: number;
  readonly captureFailuresMs: number;
  /** Ended operations, and their images. */
  readonly operationsMs: number;
  readonly operationImagesMs: number;
  /** Answers for retries. */
  readonly answersMs: number;
};

/** The retention that the settings ask for. */
export const retentionOf = (
  config: Config,
  { velocityHours, capture }: { readonly velocityHours: number; readonly capture: CapturePolicy },
): Retention => ({
  imagesMs: config.validation.imagesKeptMs,
  numbersMs: config.validation.numbersKeptMs,
  velocityMs: velocityHours * 3_600_000,
  transactionsMs: config.evidence.transactionsKeptMs,
  validationsMs: config.validation.keptMs,
  evidenceMs: config.evidence.bodiesKeptMs,
  transfersMs: config.clearing.transfersKeptMs,
  documentsMs: config.signing.documentsKeptMs,
  capturesMs: config.capture.keptMs,
  captureFailuresMs: failuresKeptMs(capture),
  operationsMs: config.operations.keptMs,
  operationImagesMs: config.operations.imagesKeptMs,
  answersMs: answersKeptMs(config),
});
