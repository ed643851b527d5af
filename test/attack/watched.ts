/** What probes of a service saw since the last look. */
export type Watched = {
  readonly probes: number;
  readonly failed: number;
  /** Longest processor time of the main thread between a probe and its answer. */
  readonly busyMsMax: number;
  /** The same on the clock. */
  readonly waitMsMax: number;
  readonly residentMiBMax: number;
};

export const emptyWatched: Watched = { probes: 0, failed: 0, busyMsMax: 0, waitMsMax: 0, residentMiBMax: 0 };

export const joinWatched = (one: Watched, other: Watched): Watched => ({
  probes: one.probes + other.probes,
  failed: one.failed + other.failed,
  busyMsMax: Math.max(one.busyMsMax, other.busyMsMax),
  waitMsMax: Math.max(one.waitMsMax, other.waitMsMax),
  residentMiBMax: Math.max(one.residentMiBMax, other.residentMiBMax),
});
