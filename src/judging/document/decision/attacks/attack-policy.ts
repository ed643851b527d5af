import type { CueFusion } from "#contract/presentation-attack/fusion";
import { mayDecline } from "../../values/provenance.ts";
import type { DocumentModel } from "../models/document-model.ts";
import type { DocumentCueName } from "./cue.ts";

/** Colour of genuine cards of a type. `monochrome`: none, so colour cannot reveal a copy. */
export type CardColour = NonNullable<DocumentModel["colour"]>["is"];

/** Colour of genuine documents. Unless it is sure, a lack of colour is never a strong cue. */
export type ExpectedColour = { readonly is: CardColour; readonly isSure: boolean };

/** Kind of the document: as read, else as declared. Country alpha-3. */
export type DocumentKind = {
  readonly country?: string;
  readonly type?: string;
  readonly model?: Pick<DocumentModel, "colour">;
};

/**
 * Measured types without a model of their own whose colour differs from the rest; `side` absent: both.
 * Country alpha-3.
 */
export type ColourException = {
  readonly country: string;
  readonly type?: string;
  readonly side?: "front" | "back";
  readonly colour: CardColour;
};

/** A value below `weak` is a weak cue, below `strong` a strong cue. */
type Below = { readonly weak: number; readonly strong: number };

/** A value from `weak` on is a weak cue, from `strong` on a strong cue. */
type From = Below;

/** How the cues are joined. Its name goes into the version of every stored decision. */
export type DocumentFusion = CueFusion<DocumentCueName>;

/** Every number for the judgement of the presentation attack cues. */
export type AttackPolicy = {
  /** Second axis of the card colour (`ColourSpread`); null where colour cannot reveal a copy. */
  readonly greyCopy: Readonly<Record<CardColour, Below | null>>;
  readonly greyPortraitMax: number;
  readonly patternPeaks: From;
  readonly rimSidesMin: number;
  /** Log of the noise ratio, in both directions. */
  readonly portraitNoise: From;
  /**
   * Where the noise of the card's parts differs by `spreadMax` at most: distance of the portrait or the face
   * in such spreads.
   */
  readonly evenNoise: From & { readonly spreadMax: number };
  /** Excess of the foreign grid. */
  readonly portraitGrid: From;
  /**
   * Match of the portrait's or the face's compressions with the card's, where that much information was
   * found.
   */
  readonly portraitHistory: Below & { readonly informationMin: number };
  /** How much less fine detail than the least detailed part of the card (difference of logs). */
  readonly portraitDetail: From;
  readonly faceDetail: From;
  /** How much less fine detail of the face than of the portrait around it. */
  readonly faceBeside: From;
  /** Likeness of a ghost to the portrait. */
  readonly ghostLikeness: Below;
  readonly darkestLine: From;
  readonly colours: readonly ColourException[];
  readonly fusion: DocumentFusion;
  /** Log odds from which a document is doubtful, and a spoof. */
  readonly decision: { readonly doubtful: number; readonly spoof: number };
};

/** Figures: docs/measurements/attacks.md, Attacks on documents. */
export const defaultAttackPolicy: AttackPolicy = {
  greyCopy: {
    // 125 copies, 116 genuine documents, 172 simulated captures of them: 66 %, 0 and 0 below .8; 86 %, 0 and
    // 6 below 1.1. The two genuine documents under 1.16 have types with their own limit.
    colour: { weak: 1.15, strong: 0.8 },
    // Half of the value of genuine documents of these types (1.15 to 1.9). Never strong: no copy was
    // measured.
    pale: { weak: 0.6, strong: 0 },
    monochrome: null,
  },
  // None of 58 genuine documents is below 1.06.
  greyPortraitMax: 0.9,
  // 1 of 113 genuine documents and 2 of 124 copies over 33.5, none over 50.
  patternPeaks: { weak: 33.5, strong: 50 },
  // Never more than 2 on 16 genuine and 99 copied cards that lay on cloth, newsprint and tables.
  rimSidesMin: 3,
  // 98 of 100 genuine portraits are within 1.7 and 0.24. Alone they are at chance, so only a large difference
  // counts.
  portraitNoise: { weak: 2, strong: 2.6 },
  evenNoise: { weak: 1.8, strong: 2.2, spreadMax: 0.3 },
  portraitGrid: { weak: 0.3, strong: 0.6 },
  portraitHistory: { weak: 0.45, strong: 0.3, informationMin: 60 },
  portraitDetail: { weak: 0.36, strong: 0.44 },
  faceDetail: { weak: 0.45, strong: 0.56 },
  faceBeside: { weak: 0.5, strong: 0.6 },
  ghostLikeness: { weak: 0.93, strong: 0.9 },
  // 44 of 65 forgeries of one design are over 9 and 37 over 10; of 53 genuine ones none is over 6, of 43
  // specimens of other designs one over 9.
  darkestLine: { weak: 4, strong: 10 },
  colours: [
    { country: "TWN", colour: "pale" },
    { country: "DEU", side: "back", colour: "pale" },
    { country: "TUR", type: "ID_CARD", colour: "pale" },
    { country: "CHE", type: "ID_CARD", colour: "pale" },
    { country: "AUS", type: "PASSPORT", colour: "pale" },
    { country: "POL", type: "PASSPORT", colour: "pale" },
  ],
  // The odds refer to one attack in ten documents, not to an estimate of real traffic.
  fusion: { name: "measured-1", offset: -2.2, scales: {} },
  decision: { doubtful: -0.5, spoof: 1.5 },
};

/** Expected colour of a side: from the model, else as measured, else colour. */
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
