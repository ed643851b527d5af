import { findText } from "../pdf/bytes.ts";
import { PdfError } from "../pdf/damaged.ts";
import { openView, type View } from "../pdf/reader/open-view.ts";
import { type Steps, tryRead } from "../pdf/steps.ts";
import { findSignatures } from "./file/find-signatures.ts";

/** More earlier states of one file are not searched. */
const statesMax = 50;

/**
 * Fields whose signature stands in an earlier state of the file and not in the last: a later part took it
 * away, or put another in its place. A new reader of the file would see no signature.
 */
export const findRemoved = (view: View): readonly string[] => {
  const { bytes } = view;
  const current = new Set(findSignatures(view).map(({ contents }) => contents?.start));
  const removed = new Map<number, string>();
  let states = 0;
  for (
    let mark = findText(bytes, "%%EOF", 0, view.steps);
    mark >= 0 && states < statesMax;
    mark = findText(bytes, "%%EOF", mark + 5, view.steps)
  ) {
    states++;
    for (const { contents, field } of signaturesOf(view.bytes.subarray(0, mark + 5), view.steps)) {
      if (contents !== undefined && !current.has(contents.start)) removed.set(contents.start, field);
    }
  }
  return [...removed.values()];
};

/**
 * None where no complete state ends here: the mark stands in an embedded file, or ends a first part for fast
 * display.
 */
const signaturesOf = (bytes: Uint8Array, steps: Steps) =>
  tryRead(steps, PdfError, () => findSignatures(openView(bytes, steps)))?.filter(
    ({ byteRange }) => byteRange !== undefined,
  ) ?? [];
