import type { DocumentFields } from "../fields.ts";
import type { Sighting } from "../sources/sighting.ts";

/**
 * Below it a source may have been misread. Chosen: `digital` under what an accepted zone (0.99) and a gated symbol (0.95)
 * have. Print that differs in more than a slip counts from `plain` on, where 0 of 148 were wrong (6 of 170 from 0.9 on), and
 * from `confirmed` on where a calendar, a list or a number's form confirms it: 0 of 311. In a single figure it counts from
 * `oneFigure` on (docs/measurements.md, "Printed fields").
 */
const confidenceMin = { digital: 0.95, plain: 0.95, confirmed: 0.9, oneFigure: 0.97 } as const;

const confidenceMinOf = ({ source, confirmedBy }: Sighting): number => {
  if (source !== "print") {
    return confidenceMin.digital;
  }
  return confirmedBy === undefined ? confidenceMin.plain : confidenceMin.confirmed;
};

/** Whether a value that differs from another in more than a reader's slip may speak against the document. */
export const isBelieved = ({ mrz }: DocumentFields, sighting: Sighting): boolean =>
  sighting.confidence >= confidenceMinOf(sighting) &&
  sighting.isBroken !== true &&
  (sighting.source !== "mrz" || mrz?.sighting.accepted === true);

/** Whether it may also where it differs in a single figure. */
export const isReadSurely = ({ source, confidence, confirmedBy }: Sighting): boolean =>
  source !== "print" || (confirmedBy !== undefined && confidence >= confidenceMin.oneFigure);
