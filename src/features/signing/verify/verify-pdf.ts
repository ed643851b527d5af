import { createHash } from "node:crypto";
import { Failure } from "#contract/failure";
import type { FetchValidation } from "#trust/revocation/ports";
import { PdfError } from "../pdf/damaged.ts";
import { openView, type View, verifyStepsMax } from "../pdf/reader/open-view.ts";
import { makeSteps, type Steps, stepsFor, TooManySteps } from "../pdf/steps.ts";
import { describeSignature } from "./describe-signature.ts";
import { findRemoved } from "./find-removed.ts";
import { worstOf } from "./judge-signature.ts";
import { type ReadSignature, readSignatures } from "./read-signatures.ts";
import type { Verdict } from "./reasons.ts";
import type { PdfReport, SignatureReport } from "./report.ts";
import { readStore } from "./trust/collect-evidence.ts";
import { makeEffort } from "./trust/effort.ts";
import { fetchEvidence } from "./trust/fetch-evidence.ts";
import { judgeTimes, type TimedSignature, type TrustedRoots } from "./trust/judge-times.ts";

/** How a file is verified. */
export type VerifyOptions = {
  readonly roots: TrustedRoots;
  readonly now: Date;
  /** Asks servers for what the file does not hold; absent: the file alone decides. */
  readonly fetch?: FetchValidation;
  /** Counts the steps of the verification; absent: up to the limit of every file. */
  readonly steps?: Steps;
};

/**
 * Verifies every signature and document time-stamp of a PDF: what it covers, what changed after it, who
 * signed it, when, and until when that can be proven. Nothing in the file is trusted but the given roots.
 * Fails with pdf_unreadable.
 */
export const verifyPdf = async (bytes: Uint8Array, options: VerifyOptions): Promise<PdfReport> => {
  try {
    const steps = options.steps ?? makeSteps(stepsFor(bytes.length, verifyStepsMax));
    const { verdict, fileBytes, ...found } = await verifyView(openView(bytes, steps), options);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return { verdict, fileBytes, sha256, ...found };
  } catch (error) {
    if (error instanceof PdfError || error instanceof TooManySteps)
      throw new Failure("pdf_unreadable", { reason: error.message }, { cause: error });
    throw error;
  }
};

/** The same for a file that is open, without its hash. Throws PdfError and TooManySteps. */
export const verifyView = async (
  view: View,
  { roots, now, fetch }: Omit<VerifyOptions, "steps">,
): Promise<Omit<PdfReport, "sha256">> => {
  const effort = makeEffort(view.steps);
  const read = readSignatures(view);
  const stored = readStore(view);
  const timed = judgeTimes(read, { evidence: stored, roots, now: now.getTime(), effort });
  const evidence =
    fetch === undefined ? stored : await fetchEvidence(timed, stored, { fetch, now: now.getTime() });
  const judged =
    fetch === undefined ? timed : judgeTimes(read, { evidence, roots, now: now.getTime(), effort });
  // A level is what the file holds, whatever a server answers.
  const levels = judged.map((one, index) => ({ ...one, holdsStatus: timed[index]?.holdsStatus === true }));
  return describe(view, read, levels);
};

const describe = (
  view: View,
  read: readonly ReadSignature[],
  timed: readonly TimedSignature[],
): Omit<PdfReport, "sha256"> => {
  const removed = findRemoved(view);
  const signatures = timed.map((one) =>
    describeSignature(one, { fileBytes: view.bytes.length, others: timed, steps: view.steps }),
  );
  return {
    verdict: read.length === 0 && removed.length === 0 ? "unsigned" : judgeWhole(signatures, removed),
    fileBytes: view.bytes.length,
    signatures,
    removed,
  };
};

/**
 * A document time-stamp of an unknown authority lowers no signature: it then proves no time, which was
 * judged.
 */
const judgeWhole = (signatures: readonly SignatureReport[], removed: readonly string[]): Verdict => {
  const hasSignature = signatures.some(({ kind }) => kind === "signature");
  const counted = signatures.filter(
    ({ kind, verdict }) => kind === "signature" || !hasSignature || verdict === "invalid",
  );
  return worstOf([
    ...counted.map(({ verdict }) => verdict),
    ...(removed.length > 0 ? (["invalid"] as const) : []),
  ]);
};
