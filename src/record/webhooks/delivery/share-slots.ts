/** A destination with due deliveries. */
export type Candidate = {
  readonly tenantId: string;
  readonly destinationId: string;
  /** Deliveries that any process has in flight. */
  readonly inFlight: number;
  readonly inFlightMax: number;
  /** Its breaker lets one request through. */
  readonly isProbe: boolean;
};

/**
 * Shares the free slots among destinations, one after the other in the given order, so that a backlog of one
 * does not starve the others. Leaves out those that get none.
 */
export const shareSlots = <Due extends Candidate>(
  candidates: readonly Due[],
  limit: number,
): readonly (Due & { readonly slots: number })[] => {
  const shares = candidates.map((candidate) => ({ ...candidate, slots: 0, slotsMax: slotsMaxOf(candidate) }));
  let left = limit;
  for (let isGiven = true; isGiven && left > 0; ) {
    isGiven = false;
    for (const share of shares) {
      if (left === 0 || share.slots >= share.slotsMax) continue;
      share.slots += 1;
      left -= 1;
      isGiven = true;
    }
  }
  return shares.filter(({ slots }) => slots > 0);
};

const slotsMaxOf = ({ inFlight, inFlightMax, isProbe }: Candidate): number =>
  Math.max(0, isProbe ? 1 : inFlightMax - inFlight);
