import type { Imaging } from "#imaging/image";
import type { DocumentPictures } from "../read-document.ts";
import { makePhotographCard, type PhotographCard } from "./card-photographs.ts";
import { makePhotographPassport, type PassportPicture } from "./passport-photographs.ts";
import { picturedCards } from "./pictured-cards.ts";
import type { PictureName } from "./pictured-cases.ts";
import { picturedOthers } from "./pictured-others.ts";
import { picturedPassports } from "./pictured-passports.ts";

type DrawOther = (imaging: Imaging) => Promise<Uint8Array>;
type Card = (typeof picturedCards)[keyof typeof picturedCards];

/** Two megapixels, which is what a telephone sends. */
const shot = { width: 1600, height: 1200 } as const;

/** Draws and photographs what a name says. */
export const makeDrawPictures = async (
  imaging: Imaging,
): Promise<(name: PictureName) => Promise<DocumentPictures>> => {
  const photographPassport = await makePhotographPassport(imaging);
  const photographCard = await makePhotographCard(imaging);
  const passports = new Map<string, PassportPicture>(Object.entries(picturedPassports));
  const cards = new Map<string, Card>(Object.entries(picturedCards));
  const others = new Map<string, DrawOther>(Object.entries(picturedOthers));
  return async (name) => {
    const [passport, card] = [passports.get(name), cards.get(name)];
    if (passport !== undefined) return { front: await photographPassport(passport) };
    if (card !== undefined) return await sidesOf(photographCard, card);
    return { front: await others.get(name)!(imaging) };
  };
};

const sidesOf = async (photograph: PhotographCard, card: Card): Promise<DocumentPictures> => {
  const taken = { ...shot, ...("shot" in card ? card.shot : {}) };
  const seed = "seed" in card ? card.seed : 5;
  const { front, back } = await photograph(card.card, seed, taken);
  if (card.sides === "both") return { front, back };
  if (card.sides === "front") return { front };
  return { front: back, back: (await photograph(card.card, seed + 1, taken)).back };
};
