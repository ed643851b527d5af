/** Levels of a signature (ETSI EN 319 142-1, clause 6), the weakest first. */
export const levels = ["B-B", "B-T", "B-LT", "B-LTA"] as const;

export type Level = (typeof levels)[number];

/** Whether a signature of this level has what the other level asks for. */
export const reaches = (level: Level, wanted: Level): boolean =>
  levels.indexOf(level) >= levels.indexOf(wanted);
