/** Texts of published specimens, each with the issuer (alpha-3) of its document: others may hold the same text. */
export type Published = readonly (readonly [issuer: string, text: string])[];

/**
 * Numbers of documents that their issuers published as specimens, without separators. ICAO Doc 9303 parts 4 to 7,
 * and the public registers of documents of the issuers named.
 */
export const publishedNumbers: Published = [
  ["UTO", "L898902C3"],
  ["UTO", "L8988901C"],
  ["UTO", "D23145890"],
  ["DEU", "C01X00T47"],
  ["DEU", "L01X00T47"],
  ["DEU", "T22000129"],
  ["ESP", "BAA000589"],
  ["NLD", "SPECI2014"],
  ["NLD", "SPECI2021"],
];

/** Whole names of holders on published specimens, as an MRZ has them before its filler. */
export const publishedNames: Published = [
  ["UTO", "ERIKSSON<<ANNA<MARIA"],
  ["DEU", "MUSTERMANN<<ERIKA"],
  ["ESP", "ESPANOLA<ESPANOLA<<CARMEN"],
  ["NLD", "DE<BRUIJN<<WILLEKE<LISELOTTE"],
];
