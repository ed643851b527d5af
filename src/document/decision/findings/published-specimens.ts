/**
 * Numbers of documents that their issuers published as specimens, without separators. ICAO Doc 9303 parts 4 to 7,
 * and the public registers of documents of the issuers named.
 */
export const publishedNumbers: readonly (readonly [issuer: string, number: string])[] = [
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

/** Names of holders on published specimens, as an MRZ has them. */
export const publishedNames: readonly string[] = [
  "ERIKSSON<<ANNA<MARIA",
  "MUSTERMANN<<ERIKA",
  "ESPANOLA<ESPANOLA<<CARMEN",
  "DE<BRUIJN<<WILLEKE<LISELOTTE",
];
