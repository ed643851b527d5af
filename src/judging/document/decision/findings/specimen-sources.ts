/**
 * Where specimens were published: by issuer, numbers without separators, and whole names as an MRZ has them.
 */
export type SpecimenSource = {
  readonly title: string;
  readonly address: string;
  readonly numbers?: readonly (readonly [issuer: string, numbers: string])[];
  readonly names?: readonly (readonly [issuer: string, name: string])[];
};

/**
 * Facts alone: numbers and names that issuers invented. A number that only counts (U1234567) is not among
 * them, nor one that only zeros follow (specimen-word.ts has the rule), nor a name that people bear. Each
 * stands under one source, though several may show it. What ICAO, PRADO, AAMVA, the Department of State, Hong
 * Kong and INE publish was seen in public transcriptions that name them (decision 0046).
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
    title: "Wikimedia Commons, specimens, collected by SynthPass (images; transcriptions at 30cf50e)",
    address: "https://github.com/ruledicaprio/SynthPass/tree/8791073",
    numbers: [
      ["ARG", "ZZZ000110"],
      ["AZE", "X11000344"],
      ["BEL", "000001115702 000590696101"],
      ["BGR", "300000000"],
      ["BIH", "W0010224 TT1300005"],
      ["BRA", "AA000261"],
      ["CAN", "ZE001355 P001756ZA P001678ZA"],
      ["CHE", "S0A00K64 S1A00A00 S0002568"],
      ["CHN", "EF1260892"],
      ["COL", "CB007001"],
      ["CYP", "K00000220"],
      ["CZE", "99003853 99006000 99009054"],
      ["DEU", "CZ6311T47"],
      ["ESP", "ZAB000221"],
      ["EST", "KS0000182"],
      ["FIN", "XA1000040 XP8271602 XX0000038"],
      ["FRA", "X4RTBPFW4 90RF02331"],
      ["GBR", "533475514"],
      ["GHA", "H0000014"],
      ["HRV", "007007007"],
      ["HUN", "BD0002028"],
      ["IRL", "XN5004216 X13256730"],
      ["ISL", "A3501291"],
      ["ITA", "KK6000533"],
      ["MCO", "A000060"],
      ["NLD", "XS038L247"],
      ["NOR", "CCC002251 GDC000001"],
      ["OMN", "JL5989824"],
      ["POL", "ZF4000499"],
      ["PRT", "I700044"],
      ["ROU", "040021039"],
      ["RUS", "110000000"],
      ["SRB", "955555546"],
      ["SVK", "XE7207436"],
      ["SVN", "PB9006321"],
      ["SWE", "XA0000015 020221710"],
      ["SYC", "NS000004"],
      ["TUR", "U00005048"],
      ["USA", "C03005988"],
    ],
    names: [
      ["AUS", "CITIZEN<<JANE"],
      ["CHE", "SCHWEIZER<SAMPLE<<HELVETIA"],
      ["CHN", "ZHENGJIAN<<YANGBEN"],
      ["CYP", "ANONYMOU<<AFRODITI"],
      ["EST", "JOEORG<<JAAK<KRISTJAN"],
      ["IDN", "LENGKAP<<NAMA"],
      ["KAZ", "SURNAME<<FIRSTNAME"],
      ["SRB", "TEST<<MILICA"],
      ["SVN", "VZOREC<<ANA"],
      ["SVN", "VZOREC<<JANA"],
      ["SWE", "TESTSSON<<ANNIKA"],
      ["SYC", "SAMPLE<<ORDINARY"],
      ["TUR", "ORNEKOGLU<<ORNEK"],
      ["TUR", "TEST<<TEST"],
    ],
  },
  {
    title: "Wikimedia Commons, specimens, each named beside its number by standard-validator",
    address: "https://github.com/homebeaver/standard-validator/tree/f730082",
    numbers: [
      ["BEL", "GA0007805"],
      ["BGR", "600000000"],
      ["CHE", "S0A00A00"],
      ["CZE", "998009476"],
      ["DEU", "L01X00T47 LZ6311T47 122001193"],
      ["EST", "AS0002261"],
      ["GBR", "999237144"],
      ["HRV", "115501830"],
      ["JPN", "ZZ1000001"],
      ["LUX", "JC3L7T2H SPEC07347"],
      ["LVA", "PA9923902"],
      ["POL", "ZC3991788"],
      ["ROU", "SP1235237"],
      ["SVK", "XX023058"],
      ["SWE", "XA0000001 XA0000002"],
      ["USA", "E00009349"],
    ],
  },
  {
    title: "PRADO FIN-BO-12001, PRT-BO-04001, BEL-BO-11005, and specimens of DEU and FRA, in cheminfo/mrz",
    address: "https://github.com/cheminfo/mrz/tree/ce4ad68/src/parse/__tests__",
    numbers: [
      ["BEL", "600001795015"],
      ["DEU", "C01X0006H"],
      ["FIN", "XA1000058"],
      ["FRA", "13AA00002"],
      ["PRT", "007666667ZZ0 007777779ZZ9"],
    ],
    names: [["CHN", "CESHI<<YANGBEN"]],
  },
  {
    title: "PRADO DEU-BO-02004, DEU-BP-03001, ESP-AO-05001, FRA-BO-02002, USA-CO-01001, in MrzParser",
    address: "https://github.com/MustelaItatsi/MrzParser/tree/8592b6b/tests/Unit",
    numbers: [
      ["DEU", "L01XPVM8J"],
      ["ESP", "ZAB000254"],
      ["FRA", "600000002 940992310285"],
    ],
    names: [["USA", "HAPPY<<TRAVELER"]],
  },
  {
    title: "PRADO, images and labels collected by passport-mrz-reader-public",
    address: "https://github.com/kundestyrt-gruppe-5-2022/passport-mrz-reader-public/tree/1539832",
    numbers: [
      ["BGR", "039903356"],
      ["FRA", "00ZB00000"],
      ["SWE", "99002299"],
    ],
  },
  {
    title: "Specimens of issuers, images of Arg0s1080/mrz",
    address: "https://github.com/Arg0s1080/mrz/tree/c462e0c/docs/images",
    numbers: [
      ["CAN", "ZE000509"],
      ["ESP", "BAA000589 99999999R"],
      ["ISL", "A2040611"],
      ["LIE", "ID9875401"],
      ["LTU", "11810187"],
      ["LVA", "PA9992921"],
      ["MCO", "029067"],
      ["SWE", "59000002 198703142391"],
      ["USA", "555123ABC"],
    ],
    names: [
      ["ESP", "ESPANOLA<ESPANOLA<<CARMEN"],
      ["JPN", "GAIMU<<SAKURA"],
      ["LVA", "PARAUDZINS<<ANDRIS"],
      ["USA", "TRAVELER<<HAPPYPERSON"],
    ],
  },
  {
    title: "Specimens of issuers, test images of PassportEye",
    address: "https://github.com/konstantint/PassportEye/tree/d866f1b/passporteye/mrz/testdata",
    numbers: [
      ["AUS", "PA0940409"],
      ["AUT", "10000999"],
      ["CHE", "S0002068"],
      ["DEU", "T22000129"],
      ["ESP", "AAA100001"],
      ["FRA", "08CD50338"],
      ["GBR", "107182890"],
      ["LUX", "S998527"],
      ["NLD", "XA0000014"],
      ["POL", "ZS0000177"],
      ["TWN", "M00000426"],
    ],
    names: [
      ["CHE", "VADIS<<QUO"],
      ["GBR", "UNITED<KINGDOM<TWENTY<SIX<<JODIE<PIPPA"],
      ["SVN", "VZOREC<<TINA"],
    ],
  },
  {
    title: "Specimens of issuers, MRZInfoTest of JMRTD",
    address: "https://jmrtd.org",
    numbers: [
      ["BEL", "590330101 600001131775 000000387289"],
      ["DEU", "C01XGY766 C11T002JM"],
      ["EST", "38001085718"],
      ["GBR", "999230763"],
      ["LVA", "PA9922065"],
      ["NLD", "XN01BC015"],
      ["NZL", "LF100358"],
      ["POL", "ABA300000"],
      ["PRT", "000024759ZZ7"],
      ["USA", "150000003 000078004"],
    ],
    names: [
      ["DEU", "MUSTERMAN<<CHRISTIAN"],
      ["GBR", "SAMPLE<<SUSANNA"],
      ["LVA", "PARAUDZINA<<MARA"],
      ["NLD", "MEULENDIJK<<LOES<ALBERTINE"],
    ],
  },
  {
    title: "Specimens of issuers, tests of mrz-java",
    address: "https://github.com/ZsBT/mrz-java/tree/8df9a38",
    numbers: [
      ["DEU", "C01X01R74"],
      ["GBR", "925076473"],
    ],
  },
  {
    title: "Specimens of issuers, tests of datacheckerbv/MRZParser",
    address: "https://github.com/datacheckerbv/MRZParser/tree/a55211e",
    numbers: [
      ["BEL", "615057409939"],
      ["DEU", "T01008921"],
    ],
  },
  {
    title: "Specimens of issuers, samples of mrzparser-c",
    address: "https://github.com/kurzdigital/mrzparser-c/tree/d8e3ed3/samples",
    numbers: [["HUN", "HA1000102"]],
  },
  {
    title: "Specimens of issuers, tests of olexale/mrz_parser",
    address: "https://github.com/olexale/mrz_parser/tree/292fbfa",
    numbers: [
      ["DEU", "C01X00T47"],
      ["FRA", "880692310285"],
    ],
  },
  {
    title: "Specimens of issuers, tests of appintheair/MRZParser",
    address: "https://github.com/appintheair/MRZParser/tree/64b73fa",
    numbers: [
      ["NLD", "999999990"],
      ["RUS", "110400000"],
    ],
    names: [["NLD", "DE<BRUIJN<<WILLEKE<LISELOTTE"]],
  },
  {
    title: "Specimen of the passport card, GioviQ/MRZ",
    address: "https://github.com/GioviQ/MRZ/tree/3f52ee1",
    numbers: [["USA", "C03004964"]],
  },
  {
    title: "Specimen of the Australian passport, ultimateMRZ-SDK",
    address: "https://github.com/DoubangoTelecom/ultimateMRZ-SDK/tree/db64de7",
    numbers: [["AUS", "PA0940443"]],
  },
  {
    title: "Specimen of the British passport, MRZ_Passport_Reader_From_Image",
    address: "https://github.com/SerdarHelli/MRZ_Passport_Reader_From_Image",
    numbers: [["GBR", "107185703"]],
    names: [["GBR", "UNITED<KINGDOM<FIVE<<JODIE<PIPPA"]],
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
    title: "PersoSim, simulated German identity cards, profiles 1 to 9",
    address: "https://github.com/PersoSim/de.persosim.simulator/tree/2b045789",
    numbers: [
      ["DEU", "000000001 000000002 000000003 000000004 000000005 000000006 000000007 000000008 000000009"],
    ],
  },
  {
    title: "Digital and Population Data Services Agency of Finland, example of a personal identity code",
    address: "https://dvv.fi/en/personal-identity-code",
    numbers: [["FIN", "131052308T"]],
  },
  {
    title: "Estonian Information System Authority, tests of SiVa, signatures of Mari-Liis Männik",
    address: "https://github.com/open-eid/SiVa",
    numbers: [["EST", "47101010033"]],
  },
  {
    title: "GOV.UK One Login, specimens in the stub of the face-to-face check",
    address: "https://github.com/govuk-one-login/ipv-cri-f2f-api/tree/ce770e7b/yoti-stub/src/data",
    numbers: [
      ["DEU", "Z021AB37X13"],
      ["GBR", "533401372"],
    ],
  },
  {
    title: "Specimen of the Australian passport, regula-document-sdk",
    address: "https://github.com/softdev1012/regula-document-sdk/tree/c5fa278",
    numbers: [["AUS", "U0996738"]],
  },
  {
    title: "Specimen of the Norwegian identity card, zkpassport-packages",
    address: "https://github.com/zkpassport/zkpassport-packages/tree/3cebce7e",
    numbers: [["NOR", "GDC000127"]],
  },
  {
    title: "Specimen of the Korean passport, tests of id-portrait-extractor",
    address: "https://github.com/SaifAlnaqbi/id-portrait-extractor",
    numbers: [["KOR", "M70689098"]],
  },
  {
    title: "Specimen of the Greek passport, tests of SwiftyTesseract",
    address: "https://github.com/Steven0351/SwiftyTesseract/tree/3ac7ac9",
    numbers: [["GRC", "AE0000005"]],
  },
];
