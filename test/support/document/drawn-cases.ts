import type { ReasonCode } from "#contract/reason-code";
import type { DeclaredType } from "#judging/document/decision/finding";
import type { DocumentPolicy } from "#judging/document/decision/policy";
import type { alteredPassports } from "#sandbox/specimen/altered-passports";
import type { drawnCards } from "./drawn-cards.ts";
import type { drawnOthers } from "./drawn-others.ts";

export type ImageName = keyof typeof alteredPassports | keyof typeof drawnCards | keyof typeof drawnOthers;

/** A case that produces a reason: the drawn images, and the declared, configured or known data. */
export type DrawnCase = {
  readonly code: ReasonCode;
  readonly decision: 9102 | 9103 | 9121;
  readonly images: ImageName;
  /** By default a Chilean passport. */
  readonly declared?: { readonly country: string; readonly type: DeclaredType };
  readonly policy?: Partial<DocumentPolicy>;
  /** By default a day of 2026. */
  readonly now?: string;
  /** By default the first. */
  readonly attempt?: number;
};

const card = (country: string) => ({ country, type: "ID_CARD" }) as const;
const covered = { images: "an Ecuadorian card with a hand over it", declared: card("ECU") } as const;
const cut = { images: "a card whose corners are cut by the frame", declared: card("ECU") } as const;
const licence = {
  images: "an expired licence",
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

/** Every reason that drawn images produce; a code may be the first reason or a further one. */
export const drawnCases: readonly DrawnCase[] = [
  { code: 101, decision: 9121, images: "a passport within a black rim, in hardly any colour" },
  { code: 102, decision: 9121, images: "a passport with a rewritten birth date" },
  { code: 204, decision: 9103, images: "a passport compressed too much" },
  { code: 204, decision: 9103, images: "a thumbnail of a passport" },
  { code: 206, decision: 9103, images: "a health insurance card", declared: card("ESP") },
  { code: 501, decision: 9121, images: "a grey copy on a screen" },
  { code: 503, decision: 9121, images: "a grey copy on a screen" },
  { code: 504, decision: 9121, images: "a passport on a screen" },
  { code: 505, decision: 9121, images: "a grey copy" },
  { code: 506, decision: 9121, images: "a passport with another portrait" },
  { code: 507, decision: 9121, images: "a passport with a wrong check digit" },
  {
    code: 507,
    decision: 9121,
    images: "a passport of an unknown issuer",
    declared: { country: "NLD", type: "PASSPORT" },
  },
  {
    code: 508,
    decision: 9121,
    images: "a passport of Utopia",
    declared: { country: "UTO", type: "PASSPORT" },
  },
  { code: 510, decision: 9102, images: "a genuine passport", policy: { countries: ["PER"] } },
  { code: 511, decision: 9102, images: "a genuine passport", now: "2036-01-01" },
  ...limits.map(
    ([ageYearsMin, code]): DrawnCase => ({
      code,
      decision: 9102,
      images: "a passport of a child",
      policy: { ageYearsMin },
    }),
  ),
  { code: 537, decision: 9102, images: "a passport with a covered portrait", attempt: 10 },
  { code: 539, decision: 9102, images: "a passport with a covered portrait", attempt: 10 },
  { code: 540, decision: 9102, images: "a passport with a covered MRZ", attempt: 10 },
  {
    code: 542,
    decision: 9121,
    images: "a Brazilian licence with a wrong CPF",
    declared: { country: "BRA", type: "DRIVING_LICENSE" },
  },
  {
    code: 602,
    decision: 9103,
    images: "a genuine passport",
    declared: { country: "CHL", type: "VISA" },
  },
  { code: 608, decision: 9103, images: "two backs of a card", declared: card("ECU") },
  { code: 609, decision: 9103, ...covered },
  { code: 614, decision: 9103, ...cut },
  { code: 615, decision: 9103, ...cut },
  { code: 614, decision: 9103, images: "a passport cut on the left" },
  { code: 614, decision: 9103, images: "a passport cut on the right" },
  { code: 614, decision: 9103, images: "a passport cut at the bottom" },
  { code: 614, decision: 9103, images: "a passport cut at the top" },
  { code: 619, decision: 9103, ...covered },
  { code: 620, decision: 9103, ...licence },
  { code: 625, decision: 9103, ...covered },
  { code: 626, decision: 9103, ...covered },
  { code: 627, decision: 9103, images: "a passport born in month 13" },
  { code: 629, decision: 9103, images: "a passport that ends in month 13" },
  { code: 630, decision: 9103, ...covered },
  { code: 631, decision: 9103, images: "a passport without a number" },
  { code: 632, decision: 9103, images: "a Chilean card without its RUN", declared: card("CHL") },
  { code: 633, decision: 9103, ...covered },
  { code: 636, decision: 9103, images: "a passport on a screen from afar" },
  { code: 637, decision: 9103, images: "a copy in hardly any colour" },
  {
    code: 642,
    decision: 9103,
    images: "a Chilean front with an Ecuadorian back",
    declared: card("CHL"),
  },
  { code: 642, decision: 9103, images: "two passports in one image" },
  { code: 643, decision: 9103, images: "a passport with a covered portrait" },
  { code: 644, decision: 9103, images: "a Honduran card without its number", declared: card("HND") },
  { code: 645, decision: 9103, images: "a passport with a covered MRZ" },
  { code: 647, decision: 9103, images: "an empty table" },
  { code: 647, decision: 9103, images: "a cat" },
  { code: 647, decision: 9103, images: "an invoice" },
  { code: 647, decision: 9103, images: "a blank page" },
  { code: 647, decision: 9103, images: "a QR code" },
  { code: 647, decision: 9103, images: "a selfie" },
  {
    code: 650,
    decision: 9103,
    images: "an Argentine card without its process number",
    declared: card("ARG"),
  },
  { code: 657, decision: 9103, images: "a closed passport" },
];
