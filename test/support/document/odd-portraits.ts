import { seededRandom } from "#contract/statistics/random";
import type { Box, Image, Imaging, Quad } from "#machine/imaging/image";
import { personAt } from "#sandbox/persons/persons";
import { framed, screenMedium } from "#sandbox/specimen/attack";
import { drawColouredCard } from "#sandbox/specimen/cards/blank-card";
import { layoutOf } from "#sandbox/specimen/cards/cards";
import { drawCardSides, portraitSize } from "#sandbox/specimen/cards/draw-card";
import { drawPortrait } from "#sandbox/specimen/drawn-person";
import { readOutlines } from "#sandbox/specimen/lettering";
import { drawTable, expose, photographPage } from "#sandbox/specimen/photograph";
import { laySurface, shownImage } from "#sandbox/specimen/surface";

export const oddPortraits = [
  "ten pasted portraits",
  "a portrait of 12 px",
  "a ghost without a portrait",
  "a card on a screen",
  "a screen in a photograph of a screen",
] as const;

export type OddPortrait = (typeof oddPortraits)[number];

type Side = "front" | "back";

/** Pixels of a drawn card for so many millimetres. */
const px = (mm: number): number => Math.round(20 * mm);

/** Chile's card has a ghost. */
const country = "CHL";
const holder = personAt(country, 7);
const seed = 7;
const portraitPlace: Box = { x: px(3), y: px(9.5), width: px(21), height: px(27) };
const jpegQuality = 88;

/** A photograph of one side of a drawn card. Without `odd`, it is the card that all others are made from. */
export const drawOddPortrait = async (
  imaging: Imaging,
  side: Side,
  odd?: OddPortrait,
): Promise<Uint8Array> => {
  const drawn = drawPortrait(holder.index + 1, holder.gender, { width: 210, height: 270 });
  const portrait = await imaging.resize(drawn, portraitSize.width, portraitSize.height);
  const { ghost, ...withoutGhost } = layoutOf(country, holder);
  const layout = odd === "a portrait of 12 px" || !ghost ? withoutGhost : { ...withoutGhost, ghost };
  const card = await drawCardSides({
    layout,
    portrait,
    outlines: readOutlines(),
    seed,
    blank: drawColouredCard,
  });
  if (side === "front") await changePortrait(imaging, card.front, portrait, odd);
  const photograph = photographPage(await imaging.resize(card[side], 1450, 914), seed);
  return Uint8Array.from(await imaging.encodeJpeg(shownOn(photograph, odd), jpegQuality));
};

const changePortrait = async (
  imaging: Imaging,
  front: Image,
  portrait: Image,
  odd: OddPortrait | undefined,
): Promise<void> => {
  if (odd === "ten pasted portraits") {
    const small = await imaging.resize(portrait, px(14), px(18));
    for (let i = 0; i < 10; i++) paste(front, small, px(2 + 16.6 * (i % 5)), px(i < 5 ? 4 : 30));
  }
  if (odd === "a ghost without a portrait" || odd === "a portrait of 12 px") {
    const blank = drawColouredCard(front.width, front.height, seed);
    paste(front, imaging.crop(blank, portraitPlace), portraitPlace.x, portraitPlace.y);
  }
  // The photograph shows 17 pixels of the card for 20 that are drawn.
  if (odd === "a portrait of 12 px") paste(front, await imaging.resize(portrait, 14, 18), px(12), px(20));
};

const paste = (onto: Image, part: Image, x: number, y: number): void => {
  for (let row = 0; row < part.height; row++) {
    const from = row * part.width * 3;
    onto.data.set(part.data.subarray(from, from + part.width * 3), ((y + row) * onto.width + x) * 3);
  }
};

const shownOn = (photograph: Image, odd: OddPortrait | undefined): Image => {
  if (odd === "a card on a screen") return photographScreen(photograph, 3);
  if (odd !== "a screen in a photograph of a screen") return photograph;
  return photographScreen(photographScreen(photograph, 3), -2);
};

/**
 * A photograph of a screen that shows the image. The screen leans by so many degrees. Where it leans by less
 * than 1.5, its pattern lies on the axes, where that of text lies too (docs/measurements/attacks.md, Screens
 * that do not lean).
 */
const photographScreen = (image: Image, degrees: number): Image => {
  const scene = drawTable(1680, 1260, seed + 3);
  const [wide, ratio] = [1560, image.width / image.height];
  const medium = screenMedium(seededRandom(seed), wide / 2.3, ratio);
  const shown = framed(shownImage(image, medium, ratio), [0.03, 0.03 * ratio], [14, 14, 14]);
  laySurface(scene, shown, leaning(scene, [wide, wide / ratio], degrees));
  return expose(scene, { noise: 2.5, blurPx: 0, falloff: 0.85, seed });
};

const leaning = (
  { width, height }: Image,
  [wide, high]: readonly [number, number],
  degrees: number,
): Quad => {
  const angle = (degrees * Math.PI) / 180;
  const corner = (x: number, y: number) =>
    [
      width / 2 + (x * wide * Math.cos(angle) - y * high * Math.sin(angle)) / 2,
      height / 2 + (x * wide * Math.sin(angle) + y * high * Math.cos(angle)) / 2,
    ] as const;
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
};
