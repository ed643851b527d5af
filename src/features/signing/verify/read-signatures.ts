import { PdfError } from "../pdf/damaged.ts";
import { dictionaryOf, openView, type View } from "../pdf/reader/open-view.ts";
import { faultSteps, type Steps, tryRead } from "../pdf/steps.ts";
import { type Change } from "./changes/change.ts";
import { compareViews } from "./changes/compare-views.ts";
import type { Digest } from "./cms/check-signer.ts";
import { type CmsFacts, type CmsUnread, readCms } from "./cms/read-cms.ts";
import { type FoundSignature, findSignatures } from "./file/find-signatures.ts";
import { judgeByteRange, type Range, type RangeFault } from "./file/judge-byte-range.ts";
import { makeRangeDigests } from "./file/range-digests.ts";

/** A signature with what was read of it. */
export type ReadSignature = {
  readonly found: FoundSignature;
  readonly range: Range | RangeFault;
  readonly cms: CmsFacts | CmsUnread | undefined;
  /** The file as it was signed; undefined where the signed bytes are no complete state. */
  readonly state: View | undefined;
  /** What changed after it; undefined where the states cannot be compared. */
  readonly changes: readonly Change[] | undefined;
  /** Whether the file held validation data when it was signed. */
  readonly hasStore: boolean;
};

/** More signatures of one file are refused. */
export const signaturesMax = 200;

/** Reads the signatures of a file, in the order in which they were made. Throws PdfError. */
export const readSignatures = (view: View): readonly ReadSignature[] => {
  const found = findSignatures(view);
  if (found.length > signaturesMax) throw new PdfError("the file has too many signatures");
  const ranged = found.map((one) => ({ found: one, range: rangeOf(view, one) }));
  const ends = new Set(ranged.flatMap(({ range }) => (typeof range === "string" ? [] : [range.end])));
  const states = openStates(
    view,
    [...ends].toSorted((a, b) => a - b),
  );
  const digestOf = makeRangeDigests(view.bytes);
  const read = ranged.map(({ found: one, range }): ReadSignature => {
    const state = typeof range === "string" ? undefined : states.find(({ end }) => end === range.end);
    return {
      found: one,
      range,
      cms: typeof range === "string" ? undefined : readValue(view, one, range, digestOf(range)),
      state: state?.view,
      changes: state?.changes,
      hasStore: state?.view !== undefined && hasStore(state.view),
    };
  });
  return read.toSorted((a, b) => endOf(a) - endOf(b));
};

const endOf = ({ range }: ReadSignature): number =>
  typeof range === "string" ? Number.MAX_SAFE_INTEGER : range.end;

const rangeOf = (view: View, { byteRange, contents, isPlain }: FoundSignature): Range | RangeFault =>
  judgeByteRange({ byteRange, contents: isPlain ? contents : undefined, fileBytes: view.bytes.length });

/** A signature value is verified, and the time-stamps over it: some 20 µs to 1 ms each. */
const signatureSteps = 40_000;

const readValue = (
  view: View,
  { subFilter, contents }: FoundSignature,
  range: Range,
  digest: Digest,
): CmsFacts | CmsUnread => {
  const { steps } = view;
  // A signature may hash the file from its start.
  steps.takeNative(range.end + (contents?.bytes.length ?? 0));
  steps.take(signatureSteps);
  return readCms(subFilter, contents?.bytes ?? new Uint8Array(), digest);
};

const hasStore = (view: View): boolean => dictionaryOf(view, view.trailer.get("Root")).has("DSS");

type State = {
  readonly end: number;
  readonly view: View | undefined;
  readonly changes: readonly Change[] | undefined;
};

/** The signed states with all that changed after each, from one state to the next. */
const openStates = (last: View, ends: readonly number[]): readonly State[] => {
  const states: State[] = [];
  let next: { readonly view: View; readonly changes: readonly Change[] | undefined } = {
    view: last,
    changes: [],
  };
  for (const end of ends.toReversed()) {
    const view = isRest(last, end) ? last : tryOpen(last.bytes.subarray(0, end), last.steps);
    const step = view === undefined || view === next.view ? [] : tryCompare(view, next.view);
    const changes = step === undefined || next.changes === undefined ? undefined : [...step, ...next.changes];
    last.steps.take(changes?.length ?? 0);
    states.push({ end, view, changes });
    if (view !== undefined) next = { view, changes };
  }
  return states;
};

/** Whether nothing but the end of a line follows. */
const isRest = ({ bytes }: View, end: number): boolean =>
  bytes.length - end <= 2 && bytes.subarray(end).every((byte) => byte === 0x0a || byte === 0x0d);

/** A complete state ends with its end mark. */
const tryOpen = (bytes: Uint8Array, steps: Steps): View | undefined => {
  const view = tryRead(steps, PdfError, () => openView(bytes, steps));
  return view?.strayBytes === 0 ? view : undefined;
};

/**
 * The changes between two states; undefined where the former cannot be read. A later part that takes the file
 * beyond what can be compared is a change by itself.
 */
const tryCompare = (before: View, after: View): readonly Change[] | undefined => {
  try {
    return compareViews(before, after);
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    after.steps.take(faultSteps);
    const what = `the later part cannot be compared: ${error.message}`;
    return isComparable(before) ? [{ kind: "content", what }] : undefined;
  }
};

const isComparable = (view: View): boolean =>
  tryRead(view.steps, PdfError, () => compareViews(view, view)) !== undefined;
