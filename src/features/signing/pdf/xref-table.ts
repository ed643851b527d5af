import { isDigit, readDigits, skipWhiteSpace } from "./bytes.ts";
import { DamagedPdf } from "./damaged.ts";
import type { Steps } from "./steps.ts";
import type { XrefEntry } from "./xref.ts";

/** A section of a table: its entries, and the index of `trailer`. */
export type TableSection = {
  readonly inUse: readonly (readonly [number, XrefEntry])[];
  readonly free: readonly (readonly [number, XrefEntry])[];
  readonly trailerAt: number;
};

/**
 * Reads the subsections of a table after `xref` (ISO 32000-2, 7.5.4). `take` counts the entries and throws above the
 * limit. Throws DamagedPdf and TooManySteps.
 */
export const readXrefTable = (
  bytes: Uint8Array,
  at: number,
  take: (entries: number) => void,
  steps: Steps,
): TableSection => {
  const inUse: [number, XrefEntry][] = [];
  const free: [number, XrefEntry][] = [];
  let index = at;
  const number = (): number => {
    const digits = readDigits(bytes, skipWhiteSpace(bytes, index, steps));
    if (digits === undefined) throw new DamagedPdf("a cross-reference table has a wrong entry");
    steps.take(digits.end - index);
    index = digits.end;
    return digits.value;
  };
  for (;;) {
    index = skipWhiteSpace(bytes, index, steps);
    if (!isDigit(bytes[index])) break;
    const first = number();
    const count = number();
    take(count);
    for (let entry = first; entry < first + count; entry++) {
      const offset = number();
      const generation = number();
      index = skipWhiteSpace(bytes, index, steps);
      const kind = bytes[index++];
      if (kind === 0x6e && offset > 0) inUse.push([entry, { kind: "plain", offset, generation }]);
      else if (kind === 0x66 || kind === 0x6e) free.push([entry, { kind: "free" }]);
      else throw new DamagedPdf("a cross-reference table has a wrong entry");
    }
  }
  return { inUse, free, trailerAt: index };
};
