import type { Image } from "#machine/imaging/image";
import type { Colour } from "../canvas.ts";
import type { Outlines } from "../lettering.ts";
import { arrangeLabels, type LabelArrangement } from "./arrange-labels.ts";
import { drawColouredCard } from "./blank-card.ts";
import type { CardHolder } from "./card-holder.ts";
import type { CardLayout } from "./card-layout.ts";
import { argentinaCard } from "./countries/argentina.ts";
import { chileCard } from "./countries/chile.ts";
import { costaRicaCard } from "./countries/costa-rica.ts";
import { ecuadorCard } from "./countries/ecuador.ts";
import { guatemalaCard } from "./countries/guatemala.ts";
import { hondurasCard } from "./countries/honduras.ts";
import { panamaCard } from "./countries/panama.ts";
import { peruCard } from "./countries/peru.ts";
import { type CardImages, type CardMark, drawCardSides } from "./draw-card.ts";

const layouts = {
  ECU: ecuadorCard,
  CRI: costaRicaCard,
  ARG: argentinaCard,
  PER: peruCard,
  GTM: guatemalaCard,
  PAN: panamaCard,
  HND: hondurasCard,
  CHL: chileCard,
} as const;

/** Countries whose card can be drawn. */
export type CardCountry = keyof typeof layouts;

const pale: Colour = [168, 120, 150];
const red: Colour = [200, 40, 40];

/**
 * `artificial`: a pale word that readers pass, as on the passports of the demo. `specimen`: the word of
 * issuers, which a validation answers with reason 508.
 */
export const cardMarks = {
  artificial: { text: "ARTIFICIAL · IDEM", colour: pale, opacity: 0.28 },
  specimen: { text: "SPECIMEN", colour: red, opacity: 1 },
} as const satisfies Readonly<Record<string, CardMark>>;

/** The texts on the card of a holder. */
export const layoutOf = (country: CardCountry, holder: CardHolder): CardLayout => layouts[country](holder);

export type CardRequest = {
  readonly country: CardCountry;
  readonly holder: CardHolder;
  /** Of 21 : 27, at least 420 px wide. */
  readonly portrait: Image;
  readonly outlines: Outlines;
  /** Tints the background; the same seed gives the same card. */
  readonly seed: number;
  readonly mark?: keyof typeof cardMarks;
  /** Where values are. If absent, they are where the country prints them. */
  readonly arrangement?: LabelArrangement;
};

/** Draws front and back of a holder's card, as artificial by default. */
export const drawNationalCard = (request: CardRequest): Promise<CardImages> => {
  const { country, holder, mark, arrangement, ...drawing } = request;
  const layout = layoutOf(country, holder);
  return drawCardSides({
    ...drawing,
    layout: arrangement === undefined ? layout : arrangeLabels(layout, arrangement),
    mark: cardMarks[mark ?? "artificial"],
    blank: drawColouredCard,
  });
};
