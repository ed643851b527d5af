import { type SpecimenSource, transcribedSpecimens } from "./specimen-transcriptions.ts";

/**
 * Facts alone: numbers and names that issuers invented. A number that only counts (U1234567) is not among
 * them, nor one that only zeros follow (specimen-word.ts has the rule), nor a name that people bear. Each
 * stands under one source, though several may show it. What ICAO, PRADO, AAMVA, the Department of State, Hong
 * Kong, INE and Finland publish was seen in public transcriptions that name them (decision 0046).
 */
export const specimenSources: readonly SpecimenSource[] = [
  {
    title: "ICAO Doc 9303, parts 4 to 7, part 10, and part 11, appendix D.2",
    address: "https://www.icao.int/publications/doc-series/doc-9303",
    numbers: [
      ["UTO", "L898902C3 L8988901C L898902C D23145890 D23145890734"],
      ["NLD", "XI85935F8"],
    ],
    names: [
      ["UTO", "ERIKSSON<<ANNA<MARIA"],
      ["UTO", "STEVENSON<<PETER"],
      ["UTO", "STEVENSON<<PETER<JOHN"],
    ],
  },
  {
    title: "US Department of State, next generation passport, passport card, exemplars",
    address:
      "https://travel.state.gov/content/travel/en/passports/passport-help/next-generation-passport.html",
    numbers: [["USA", "E00007730 340007237 340007955 C03004786"]],
    names: [["USA", "TRAVELER<<HAPPY"]],
  },
  {
    title: "AAMVA DL/ID Card Design Standard, annex D.13, example",
    address: "https://www.aamva.org/identity/driver-license-identification-card-standards",
    numbers: [["USA", "T64235789"]],
  },
  {
    title: "Serwis Rzeczypospolitej Polskiej, dowód osobisty",
    address: "https://www.gov.pl/web/gov/dowod-osobisty-informacje",
    numbers: [["POL", "ZZC108201"]],
  },
  {
    title: "Wikipedia, Führerscheinnummer",
    address: "https://de.wikipedia.org/wiki/F%C3%BChrerscheinnummer",
    numbers: [["DEU", "B072RRE2I55"]],
  },
  {
    title: "PRADO GAB-AO-03001",
    address: "https://www.consilium.europa.eu/prado/en/GAB-AO-03001/index.html",
    numbers: [["GAB", "13SP01349"]],
  },
  {
    title: "PRADO, ordinary and diplomatic passports of Togo",
    address: "https://www.consilium.europa.eu/prado/en/prado-documents/TGO/index.html",
    numbers: [["TGO", "XB000072 XS000288 D9000426"]],
  },
  {
    title: "Immigration Department of Hong Kong, smart identity card",
    address: "https://www.immd.gov.hk/eng/services/hkid/smartid.html",
    numbers: [["HKG", "Z6833672"]],
  },
  {
    title: "Wikipedia, Hong Kong identity card",
    address: "https://en.wikipedia.org/wiki/Hong_Kong_identity_card",
    numbers: [["HKG", "Z6833655"]],
  },
  {
    title: "Instituto Nacional Electoral, models E and F of the credencial para votar",
    address: "https://www.ine.mx/credencial",
    numbers: [["MEX", "183657717 1836577170"]],
  },
  {
    title: "Digital and Population Data Services Agency of Finland, example of a personal identity code",
    address: "https://dvv.fi/en/personal-identity-code",
    numbers: [["FIN", "131052308T"]],
  },
  ...transcribedSpecimens,
];
