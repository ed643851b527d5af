/**
 * A number of an MRZ without its fillers: they stand for blanks, hyphens and unused places (ICAO Doc 9303-3,
 * 4.3).
 */
export const withoutFillers = (text: string): string => text.replaceAll("<", "");

/** Optional data of an MRZ, whose parts keep a blank between them. */
export const blanksForFillers = (text: string): string => text.replaceAll(/<+/g, " ").trim();
