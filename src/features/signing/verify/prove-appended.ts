import { Failure } from "#contract/failure";
import { PdfError } from "../pdf/damaged.ts";
import { openView, type View, verifyStepsMax } from "../pdf/reader/open-view.ts";
import { makeSteps, stepsFor, TooManySteps } from "../pdf/steps.ts";
import type { ChangeKind } from "./changes/change.ts";
import { compareViews } from "./changes/compare-views.ts";
import { findRemoved } from "./find-removed.ts";
import type { ReasonCode } from "./reasons.ts";
import { describeBreak } from "./refuse-broken.ts";
import type { PdfReport, SignatureReport } from "./report.ts";
import { verifyView } from "./verify-pdf.ts";

/** A file as it was, which its parts begin with, and the parts of the signed one. */
export type Appended = { readonly source: Uint8Array; readonly parts: readonly Uint8Array[] };

/** Reasons that lie in the keys of signers and authorities: no root is given here. */
const ofSigners: ReadonlySet<ReasonCode> = new Set(["signer_unknown", "algorithm_weak"]);

/**
 * What may follow a signature that was made here. Some files name an object as their metadata that a revision
 * writes.
 */
const mayFollow: ReadonlySet<ChangeKind> = new Set(["validation_data", "timestamp", "metadata"]);

/** What a signature may add to what a reader shows. */
const notAdded: ReadonlySet<ChangeKind> = new Set(["content", "annotation"]);

/** Names no field and no entry of the file: the operator's log keeps it. */
const faultOfNew = ({ integrity, reasons, changes }: SignatureReport): string | undefined => {
  const reason = reasons.find(({ code }) => !ofSigners.has(code));
  if (integrity !== "intact" || reason !== undefined) return `a new signature: ${reason?.code ?? integrity}`;
  const change = changes.find(({ kind }) => !mayFollow.has(kind));
  return change && `a new signature: a change of kind ${change.kind} follows it`;
};

/**
 * Whether the appended part removed a signature. An editor may have cleared others before: these are among
 * the removed ones of both, because the file begins with its source.
 */
const hasRemoved = ({ removed }: Pick<PdfReport, "removed">, before: View): boolean =>
  removed.length > 0 && removed.length > findRemoved(before).length;

/** What is wrong with the signatures of the file; undefined where nothing is. */
const faultOfReport = (
  report: Pick<PdfReport, "signatures" | "removed">,
  before: View,
): string | undefined => {
  if (hasRemoved(report, before)) return "an earlier signature was removed";
  const { signatures } = report;
  const added = signatures.filter(({ coverage }) => coverage.bytes > before.bytes.length);
  if (added.length === 0) return "no signature was added";
  const faults = signatures.map((one) => (added.includes(one) ? faultOfNew(one) : describeBreak(one)));
  return faults.find((fault) => fault !== undefined);
};

/** What the appended part changed that no signature changes. Throws PdfError. */
const faultOfChanges = (before: View, after: View): string | undefined => {
  const change = compareViews(before, after).find(({ kind }) => notAdded.has(kind));
  return change && `a change of kind ${change.kind} against the file that was to be signed`;
};

const isUnread = (error: unknown): error is Error =>
  error instanceof PdfError || error instanceof TooManySteps;

/** A file that cannot be compared with itself is at fault, and not what was appended to it. */
const refuseUnread = (source: Uint8Array): void => {
  try {
    const view = openView(source);
    compareViews(view, view);
  } catch (cause) {
    if (isUnread(cause)) throw new Failure("pdf_unreadable", { reason: cause.message }, { cause });
    throw cause;
  }
};

const unproven = (fault: string): Failure =>
  new Failure("signature_unproven", {}, { cause: new Error(fault) });

/** What the verifier finds wrong with a file of which so many bytes were there before. */
const findFault = async (whole: Buffer, sourceBytes: number, now: Date): Promise<string | undefined> => {
  const steps = makeSteps(2 * stepsFor(whole.length, verifyStepsMax));
  try {
    const before = openView(whole.subarray(0, sourceBytes), steps);
    const after = openView(whole, steps);
    const report = await verifyView(after, { roots: { signers: [], stamps: [] }, now });
    return faultOfReport(report, before) ?? faultOfChanges(before, after);
  } catch (error) {
    if (!isUnread(error)) throw error;
    return `the signed file cannot be read: ${error.message}`;
  }
};

/**
 * Verifies a file that Idem signed or extended before anyone has it, with the verifier that reads the files
 * of others: the parts begin with the file as it was, every new signature is intact, covers all bytes before
 * it and is followed by validation data and time-stamps alone, no earlier signature is broken or removed, and
 * pages and what they show are those of the file. The parts are joined for that. Fails with pdf_unreadable
 * for a file that the verifier cannot read, and with signature_unproven, whose cause is the operator's to
 * see.
 */
export const proveAppended = async ({ source, parts }: Appended, now: Date): Promise<void> => {
  const [kept] = parts;
  if (kept === undefined || (kept !== source && Buffer.compare(kept, source) !== 0))
    throw unproven("the signed file does not begin with the file that was to be signed");
  const whole = Buffer.concat(parts);
  const fault = await findFault(whole, source.length, now);
  if (fault === undefined) return;
  refuseUnread(source);
  throw unproven(fault);
};
