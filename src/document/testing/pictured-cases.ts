import type { ReasonCode } from "#contract/reason-code";
import type { DeclaredType } from "../finding.ts";
import type { DocumentPolicy } from "../policy.ts";
import type { picturedCards } from "./pictured-cards.ts";
import type { picturedOthers } from "./pictured-others.ts";
import type { picturedPassports } from "./pictured-passports.ts";

export type PictureName =
  | keyof typeof picturedPassports
  | keyof typeof picturedCards
  | keyof typeof picturedOthers;

/** What brings a reason: drawn pictures, and what was declared, set or known beside them. */
export type PicturedCase = {
  readonly code: ReasonCode;
  readonly decision: 9102 | 9103 | 9121;
  readonly pictures: PictureName;
  /** By default a Chilean passport. */
  readonly declared?: { readonly country: string; readonly type: DeclaredType };
  readonly policy?: Partial<DocumentPolicy>;
  /** By default a day of 2026. */
  readonly now?: string;
  /** By default the first. */
  readonly attempt?: number;
};

const card = (country: string) => ({ country, type: "ID_CARD" }) as const;
const covered = { pictures: "an Ecuadorian card with a hand over it", declared: card("ECU") } as const;
const cut = { pictures: "a card whose corners are cut by the frame", declared: card("ECU") } as const;
const licence = {
  pictures: "an expired licence",
  declared: { country: "USA", type: "DRIVING_LICENSE" },
} as const;

const limits = [
  [13, 530],
  [14, 531],
  [16, 532],
  [18, 533],
  [20, 534],
  [21, 535],
  [25, 536],
] as const;

/** Every reason that drawn pictures bring; a code may stand first or among the further ones. */
export const picturedCases: readonly PicturedCase[] = [
  { code: 101, decision: 9121, pictures: "a passport within a black rim, in hardly any colour" },
  { code: 102, decision: 9121, pictures: "a passport with a rewritten birth date" },
  { code: 204, decision: 9103, pictures: "a passport compressed too much" },
  { code: 204, decision: 9103, pictures: "a thumbnail of a passport" },
  { code: 501, decision: 9121, pictures: "a grey copy on a screen" },
  { code: 503, decision: 9121, pictures: "a grey copy on a screen" },
  { code: 504, decision: 9121, pictures: "a passport on a screen" },
  { code: 505, decision: 9121, pictures: "a grey copy" },
  { code: 506, decision: 9121, pictures: "a passport with another portrait" },
  { code: 507, decision: 9121, pictures: "a passport with a wrong check digit" },
  {
    code: 508,
    decision: 9121,
    pictures: "a passport of Utopia",
    declared: { country: "UTO", type: "PASSPORT" },
  },
  { code: 510, decision: 9102, pictures: "a genuine passport", policy: { countries: ["PER"] } },
  { code: 511, decision: 9102, pictures: "a genuine passport", now: "2036-01-01" },
  ...limits.map(
    ([ageYearsMin, code]): PicturedCase => ({
      code,
      decision: 9102,
      pictures: "a passport of a child",
      policy: { ageYearsMin },
    }),
  ),
  { code: 537, decision: 9102, pictures: "a passport with a covered portrait", attempt: 10 },
  { code: 539, decision: 9102, pictures: "a passport with a covered portrait", attempt: 10 },
  { code: 540, decision: 9102, pictures: "a passport with a covered zone", attempt: 10 },
  {
    code: 602,
    decision: 9103,
    pictures: "a genuine passport",
    declared: { country: "CHL", type: "VISA" },
  },
  { code: 608, decision: 9103, pictures: "two backs of a card", declared: card("ECU") },
  { code: 609, decision: 9103, ...covered },
  { code: 614, decision: 9103, ...cut },
  { code: 615, decision: 9103, ...cut },
  { code: 614, decision: 9103, pictures: "a passport cut on the left" },
  { code: 614, decision: 9103, pictures: "a passport cut on the right" },
  { code: 614, decision: 9103, pictures: "a passport cut at the bottom" },
  { code: 614, decision: 9103, pictures: "a passport cut at the top" },
  { code: 619, decision: 9103, ...covered },
  { code: 620, decision: 9103, ...licence },
  { code: 625, decision: 9103, ...covered },
  { code: 626, decision: 9103, ...covered },
  { code: 627, decision: 9103, pictures: "a passport born in month 13" },
  { code: 629, decision: 9103, pictures: "a passport that ends in month 13" },
  { code: 630, decision: 9103, ...covered },
  { code: 631, decision: 9103, pictures: "a passport without a number" },
  { code: 632, decision: 9103, pictures: "a Chilean card without its RUN", declared: card("CHL") },
  { code: 633, decision: 9103, ...covered },
  { code: 636, decision: 9103, pictures: "a passport on a screen from afar" },
  { code: 637, decision: 9103, pictures: "a copy in hardly any colour" },
  {
    code: 642,
    decision: 9103,
    pictures: "a Chilean front with an Ecuadorian back",
    declared: card("CHL"),
  },
  { code: 642, decision: 9103, pictures: "two passports in one picture" },
  { code: 643, decision: 9103, pictures: "a passport with a covered portrait" },
  { code: 644, decision: 9103, pictures: "a Honduran card without its number", declared: card("HND") },
  { code: 645, decision: 9103, pictures: "a passport with a covered zone" },
  { code: 647, decision: 9103, pictures: "an empty table" },
  { code: 647, decision: 9103, pictures: "a cat" },
  { code: 647, decision: 9103, pictures: "a selfie" },
  {
    code: 650,
    decision: 9103,
    pictures: "an Argentine card without its process number",
    declared: card("ARG"),
  },
  { code: 657, decision: 9103, pictures: "a closed passport" },
];
