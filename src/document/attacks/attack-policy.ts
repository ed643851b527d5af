import type { DocumentModel } from "../models/document-model.ts";
import { mayDecline } from "../models/sureness.ts";
import type { SignalName } from "./signal.ts";

/** How much colour genuine cards of a type have. `monochrome`: none, so that no copy of it can be told by colour. */
export type CardColour = NonNullable<DocumentModel["colour"]>["is"];

/** What genuine ones show. Unless it is sure, a lack of colour never speaks strongly. */
export type ExpectedColour = { readonly is: CardColour; readonly isSure: boolean };

/** What is known of the document's kind: by itself, else as declared. Country alpha-3. */
export type DocumentKind = {
  readonly country?: string;
  readonly type?: string;
  readonly model?: Pick<DocumentModel, "colour">;
};

/** Measured types without a model of their own whose colour differs from the rest; `side` absent: both. Country alpha-3. */
export type ColourException = {
  readonly country: string;
  readonly type?: string;
  readonly side?: "front" | "back";
  readonly colour: CardColour;
};

/** Below `weak` and `strong` a measurement counts so. */
type Below = { readonly weak: number; readonly strong: number };

/** From `weak` and `strong` on. */
type From = Below;

/** Log odds of an attack before any signal, and what each signal's own weight is multiplied by. */
export type AttackFusion = {
  /** Goes into the version of every stored decision. */
  readonly name: string;
  readonly offset: number;
  readonly scales: Readonly<Partial<Record<SignalName, number>>>;
};

/** Every number by which the traces of attacks are judged. */
export type AttackPolicy = {
  /** Second axis of the card's colour (`ColourSpread`); absent for a colour of which no copy can be told. */
  readonly greyCopy: Readonly<Record<CardColour, Below | null>>;
  readonly greyPortraitMax: number;
  readonly patternPeaks: From;
  readonly rimSidesMin: number;
  /** Log of the ratio of noise, either way. */
  readonly portraitNoise: From;
  /** Excess of the foreign grid. */
  readonly portraitGrid: From;
  readonly darkestLine: From;
  readonly colours: readonly ColourException[];
  readonly fusion: AttackFusion;
  /** Log odds from which a document is doubtful, and a spoof. */
  readonly decision: { readonly doubtful: number; readonly spoof: number };
};

/** Figures: docs/measurements.md, Attacks on documents. */
export const defaultAttackPolicy: AttackPolicy = {
  greyCopy: {
    // 125 copies, 116 genuine documents, 172 simulated captures of them: 66 %, 0 and 0 below .8; 86 %, 0 and 6 below 1.1. The
    // two genuine ones under 1.16 are of types with a limit of their own.
    colour: { weak: 1.15, strong: 0.8 },
    // Half of what genuine ones of these types measure (1.15 to 1.9); no copy of one was at hand, so never strong.
    pale: { weak: 0.6, strong: 0 },
    monochrome: null,
  },
  // 58 genuine documents: none below 1.06.
  greyPortraitMax: 0.9,
  // 1 of 113 genuine documents and 2 of 124 copies over 33.5, none over 50.
  patternPeaks: { weak: 33.5, strong: 50 },
  // Never more than 2 on 16 genuine and 99 copied cards that lay on cloth, newsprint and tables.
  rimSidesMin: 3,
  // 98 of 100 genuine portraits within 1.7 and 0.24: at chance by themselves, so that only a great difference counts.
  portraitNoise: { weak: 2, strong: 2.6 },
  portraitGrid: { weak: 0.3, strong: 0.6 },
  darkestLine: { weak: 4, strong: 8 },
  colours: [
    { country: "TWN", colour: "pale" },
    { country: "DEU", side: "back", colour: "pale" },
    { country: "TUR", type: "ID_CARD", colour: "pale" },
    { country: "CHE", type: "ID_CARD", colour: "pale" },
    { country: "AUS", type: "PASSPORT", colour: "pale" },
    { country: "POL", type: "PASSPORT", colour: "pale" },
  ],
  // One attack among ten: the odds stand for that, not for a guess at the operator's applicants.
  fusion: { name: "measured-1", offset: -2.2, scales: {} },
  decision: { doubtful: -0.5, spoof: 1.5 },
};

/** What genuine documents of this kind show on a side: as its model says, else as measured; else colour. */
export const colourOf = (
  { colours }: Pick<AttackPolicy, "colours">,
  { country, type, model }: DocumentKind,
  on: "front" | "back",
): ExpectedColour => {
  if (model?.colour !== undefined) return { is: model.colour.is, isSure: mayDecline(model.colour) };
  const measured = colours.find(
    (one) =>
      one.country === country &&
      (one.type === undefined || one.type === type) &&
      (one.side === undefined || one.side === on),
  );
  return { is: measured?.colour ?? "colour", isSure: true };
};
