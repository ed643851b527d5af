import type { DocumentReading } from "#judging/document/reading/reading";
import { readRecording } from "../networks/recorded-measurements.ts";
import { type CrossedCountry, crossedCountries } from "./crossed-cards.ts";

/** One of the two cards of a country. */
export type CrossedCard = 0 | 1;

/** The name under which the reading of a card's front and a card's back is recorded. */
export const crossedNameOf = (country: CrossedCountry, front: CrossedCard, back: CrossedCard): string =>
  `${country}, front of ${front}, back of ${back}`;

type TwoReadings = readonly [DocumentReading, DocumentReading];

/** The recorded readings of the two cards of each country, each with its own sides. `file`: the record. */
export const readTwoCards = (file: URL): readonly (readonly [CrossedCountry, TwoReadings])[] => {
  const { measurements } = readRecording<DocumentReading>(file);
  const readingOf = (country: CrossedCountry, card: CrossedCard): DocumentReading => {
    const reading = measurements.get(crossedNameOf(country, card, card));
    if (reading?.back === undefined) throw new Error(`Card ${card} of ${country} is not recorded`);
    return reading;
  };
  return crossedCountries.map((country) => [country, [readingOf(country, 0), readingOf(country, 1)]]);
};

/** The front of one card with the back of another. */
export const cross = (one: DocumentReading, { back }: DocumentReading): DocumentReading => ({
  ...one,
  ...(back && { back }),
});
