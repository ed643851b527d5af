import type { Image, Imaging } from "#machine/imaging/image";
import { type CardRequest, drawNationalCard } from "../specimen/cards/cards.ts";
import { readOutlines } from "../specimen/lettering.ts";
import { photographPage } from "../specimen/photograph.ts";
import { portraitOf, selfieOf } from "./photos.ts";
import type { SandboxPerson } from "./sandbox-person.ts";

/** JPEGs of a person: both sides of the card, photographed on a table, and a selfie. */
export type PersonImages = {
  readonly front: Uint8Array;
  readonly back: Uint8Array;
  readonly selfie: Uint8Array;
};

/** The size of a side in its photograph, with the table around it: a card at the border counts as cut. */
const sideOnTable = { width: 1450, height: 914 } as const;

/** Draws the card of a person and photographs both sides; the same images every time. */
export const drawPersonImages = async (
  imaging: Imaging,
  person: SandboxPerson,
  mark?: CardRequest["mark"],
): Promise<PersonImages> => {
  const { country, index } = person;
  const { front, back } = await drawNationalCard({
    country,
    holder: person,
    portrait: await portraitOf(imaging, person),
    outlines: readOutlines(),
    seed: index,
    ...(mark === undefined ? {} : { mark }),
  });
  const photographed = async (side: Image, seed: number): Promise<Uint8Array> => {
    const page = await imaging.resize(side, sideOnTable.width, sideOnTable.height);
    return await imaging.encodeJpeg(photographPage(page, seed), 90);
  };
  return {
    front: await photographed(front, index + 1),
    back: await photographed(back, index + 2),
    selfie: await selfieOf(imaging, person),
  };
};
