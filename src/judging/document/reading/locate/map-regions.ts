import type { CardMaps } from "./card-maps.ts";

/** Connected cells of the maps that look like one card, as grid indices. */
export type Region = { readonly places: readonly number[] };

const cardMin = 0.5;
/** A region below this share of the image is a speck: a card must cover 3 % to be readable. */
const shareMin = 0.008;

/** The regions that look like cards, the largest first (four-connected). */
export const findRegions = ({ columns, rows, card }: CardMaps): readonly Region[] => {
  const seen = new Uint8Array(card.length);
  const regions: Region[] = [];
  for (let start = 0; start < card.length; start++) {
    if (seen[start] === 0 && card[start]! >= cardMin) {
      const places = flood(start, columns, rows, card, seen);
      if (places.length >= shareMin * card.length) regions.push({ places });
    }
  }
  return regions.toSorted((a, b) => b.places.length - a.places.length);
};

/** Whether a region reaches the frame of the image, so that a part of the card may be outside. */
export const meetsFrame = ({ places }: Region, { columns, rows }: CardMaps): boolean =>
  places.some((place) => {
    const [column, row] = [place % columns, Math.floor(place / columns)];
    return column === 0 || row === 0 || column === columns - 1 || row === rows - 1;
  });

const flood = (
  start: number,
  columns: number,
  rows: number,
  card: Float32Array,
  seen: Uint8Array,
): readonly number[] => {
  const places = [start];
  seen[start] = 1;
  const attempt = (place: number): void => {
    if (seen[place] === 0 && card[place]! >= cardMin) {
      seen[place] = 1;
      places.push(place);
    }
  };
  for (let i = 0; i < places.length; i++) {
    const place = places[i]!;
    const column = place % columns;
    if (column > 0) attempt(place - 1);
    if (column < columns - 1) attempt(place + 1);
    if (place >= columns) attempt(place - columns);
    if (place < columns * (rows - 1)) attempt(place + columns);
  }
  return places;
};
