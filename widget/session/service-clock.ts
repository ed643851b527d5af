/**
 * The service's time as its answers state it: the clock of a telephone may be wrong by a day. The service
 * lets every page read the header `date`; where a proxy takes it away, the page has its own clock alone.
 */
export type ServiceClock = {
  readonly now: () => number;
  /** Takes the header `date` of an answer. */
  readonly note: (date: string | null) => void;
};

/** `own` is the clock of the page. */
export const makeServiceClock = (own: () => number): ServiceClock => {
  let aheadMs = 0;
  return {
    now: () => own() + aheadMs,
    note: (date) => {
      const stated = Date.parse(date ?? "");
      if (Number.isFinite(stated)) aheadMs = stated - own();
    },
  };
};
