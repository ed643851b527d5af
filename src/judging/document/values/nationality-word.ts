import { isCountryCode } from "#contract/country";
import { isWithinEdits } from "./edit-distance.ts";
import { fold } from "./fold.ts";
import { asCapital } from "./look-alikes.ts";

/**
 * Folded stems: Spanish adjectives take their endings from below; countries and other words stay as they are.
 */
const adjectives: Readonly<Record<string, string>> = {
  ARGENTIN: "ARG",
  BOLIVIAN: "BOL",
  BRASILEN: "BRA",
  BRASILEIR: "BRA",
  CHILEN: "CHL",
  COLOMBIAN: "COL",
  CUBAN: "CUB",
  DOMINICAN: "DOM",
  ECUATORIAN: "ECU",
  GUATEMALTEC: "GTM",
  HAITIAN: "HTI",
  HONDUREN: "HND",
  ITALIAN: "ITA",
  MEXICAN: "MEX",
  PANAMEN: "PAN",
  PARAGUAY: "PRY",
  PERUAN: "PER",
  SALVADOREN: "SLV",
  URUGUAY: "URY",
  VENEZOLAN: "VEN",
  CHIN: "CHN",
  RUS: "RUS",
};

const words: Readonly<Record<string, string>> = {
  COSTARRICENSE: "CRI",
  NICARAGUENSE: "NIC",
  ESPANOLA: "ESP",
  ESPANOL: "ESP",
  ESTADOUNIDENSE: "USA",
  CANADIENSE: "CAN",
  PORTUGUESA: "PRT",
  PORTUGUES: "PRT",
  FRANCESA: "FRA",
  FRANCES: "FRA",
  ALEMANA: "DEU",
  ALEMAN: "DEU",
  DEUTSCH: "DEU",
  INGLESA: "GBR",
  BRITANICA: "GBR",
  ARGENTINA: "ARG",
  BOLIVIA: "BOL",
  BRASIL: "BRA",
  CHILE: "CHL",
  COLOMBIA: "COL",
  "COSTA RICA": "CRI",
  CUBA: "CUB",
  "REPUBLICA DOMINICANA": "DOM",
  ECUADOR: "ECU",
  "EL SALVADOR": "SLV",
  ESPANA: "ESP",
  GUATEMALA: "GTM",
  HAITI: "HTI",
  HONDURAS: "HND",
  MEXICO: "MEX",
  NICARAGUA: "NIC",
  PANAMA: "PAN",
  PARAGUAY: "PRY",
  PERU: "PER",
  URUGUAY: "URY",
  VENEZUELA: "VEN",
  SLOVENSKA: "SVK",
  SLOVENSKO: "SVK",
  CESKA: "CZE",
  POLSKIE: "POL",
  POLSKA: "POL",
  MAGYAR: "HUN",
  HRVATSKO: "HRV",
  ROMANA: "ROU",
};

const endings = ["A", "O", "AS", "OS"] as const;

const lettersOf = (text: string): string =>
  Array.from(fold(text))
    .map((char) => (char === " " ? char : (asCapital(char) ?? "")))
    .join("");

const table: ReadonlyMap<string, string> = new Map([
  ...Object.entries(adjectives).flatMap(([stem, code]) => endings.map((end) => [stem + end, code] as const)),
  ...Object.entries(words),
]);

/** One wrong letter in six; none below six letters: CUBANA and URUBANA are words too. */
const editsMax = (word: string): number => Math.floor(word.length / 6);

const nearestCode = (word: string): string | undefined => {
  const near = [...table].filter(([known]) => isWithinEdits(word, known, editsMax(known)));
  const codes = new Set(near.map(([, code]) => code));
  return codes.size === 1 ? near[0]?.[1] : undefined;
};

const codeOf = (part: string): string | undefined => {
  const word = lettersOf(part).trim();
  if (word.length === 3 && isCountryCode(word)) {
    return word;
  }
  return table.get(word) ?? nearestCode(word);
};

/**
 * The alpha-3 code of a printed nationality or country. Accepts a code (digits read as letters, C0L is COL),
 * or a word of the closed list with at most one wrong letter in six. The word may stand alone or twice
 * ("PERUANA / PERUVIAN" is read by its first half). Undefined for words that are not listed.
 */
export const readNationalityWord = (text: string): string | undefined =>
  codeOf(text) ?? codeOf(text.split(/[/(]/)[0] ?? "");
