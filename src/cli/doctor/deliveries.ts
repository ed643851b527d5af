import { type Finding, finding } from "../kit/finding.ts";

/**
 * A delivery leaves within a second where a process delivers and has a free slot. Our choice: after this time
 * it is more likely that none does, or that its receivers are too slow for its slots.
 */
export const lateMsMax = 300_000;

/** Whether events wait although their time has come. Nothing where none is due. Pure. */
export const judgeDeliveries = (since: Date | undefined, now: Date): readonly Finding[] => {
  if (since === undefined) return [];
  const lateMs = now.getTime() - since.getTime();
  if (lateMs <= lateMsMax) return [finding("deliveries", "events leave in time")];
  return [
    finding(
      "deliveries",
      `an event is due since ${since.toISOString()}`,
      "Run a process that delivers: idem serve, with roles idem serve --role delivery. Where one runs, see its log and idem webhooks deliveries.",
    ),
  ];
};
