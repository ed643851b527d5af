import type { DocumentImages } from "#judging/document/reading/read-document";
import type { Imaging } from "#machine/imaging/image";
import { alteredPassports } from "#sandbox/specimen/altered-passports";
import type { PassportImage } from "#sandbox/specimen/passport-photographs";
import { makePhotographCard, type PhotographCard } from "./card-photographs.ts";
import { drawnCards } from "./drawn-cards.ts";
import type { ImageName } from "./drawn-cases.ts";
import { drawnOthers } from "./drawn-others.ts";
import { openPhotographPassport } from "./passport-photographs.ts";

type DrawOther = (imaging: Imaging) => Promise<Uint8Array>;
type Card = (typeof drawnCards)[keyof typeof drawnCards];

/** Two megapixels, the size that a telephone sends. */
const shot = { width: 1600, height: 1200 } as const;

/** Draws and photographs the image of a name. */
export const makeDrawImages = async (
  imaging: Imaging,
): Promise<(name: ImageName) => Promise<DocumentImages>> => {
  const photographPassport = await openPhotographPassport(imaging);
  const photographCard = await makePhotographCard(imaging);
  const passports = new Map<string, PassportImage>(Object.entries(alteredPassports));
  const cards = new Map<string, Card>(Object.entries(drawnCards));
  const others = new Map<string, DrawOther>(Object.entries(drawnOthers));
  return async (name) => {
    const [passport, card] = [passports.get(name), cards.get(name)];
    if (passport !== undefined) return { front: await photographPassport(passport) };
    if (card !== undefined) return await sidesOf(photographCard, card);
    return { front: await others.get(name)!(imaging) };
  };
};

const sidesOf = async (photograph: PhotographCard, card: Card): Promise<DocumentImages> => {
  const taken = { ...shot, ...("shot" in card ? card.shot : {}) };
  const seed = "seed" in card ? card.seed : 5;
  const { front, back } = await photograph(card.card, seed, taken);
  if (card.sides === "both") return { front, back };
  if (card.sides === "front") return { front };
  return { front: back, back: (await photograph(card.card, seed + 1, taken)).back };
};
