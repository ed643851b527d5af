import type { Image } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { portraitSize } from "#sandbox/specimen/cards/draw-card";
import { readOutlines } from "#sandbox/specimen/lettering";
import { breakCheckDigit, type PassportHolder, writePassportLines } from "#sandbox/specimen/mrz";
import { drawPassport } from "#sandbox/specimen/passport";
import { photographPage } from "#sandbox/specimen/photograph";
import { imageOf } from "../../face/images.ts";
import { drawNationalCard } from "../draw-national-card.ts";
import { argentina, type DrawnCard, ecuador, honduras } from "../national-cards.ts";

type Draw = () => Promise<Uint8Array>;

const imaging = makeImaging({ limits: defaultImagingLimits });

const ana: PassportHolder = {
  issuer: "CHL",
  nationality: "CHL",
  surname: "Solís Prueba",
  givenNames: "Ana María",
  number: "F12345678",
  birth: "900101",
  sex: "M",
  expiry: "350101",
};
const franco: PassportHolder = {
  ...ana,
  surname: "Muñoz Prueba",
  givenNames: "Franco Andrés",
  birth: "800314",
};

const grey = ({ width, height, data }: Image): Image => ({
  width,
  height,
  data: Uint8Array.from(data, (_, i) => {
    const at = i - (i % 3);
    return 0.3 * data[at]! + 0.59 * data[at + 1]! + 0.11 * data[at + 2]!;
  }),
});

const drawPage = async (holder: PassportHolder, lines = writePassportLines(holder)): Promise<Image> => {
  const place = { x: 270, y: 130, width: 260, height: 330 };
  const portrait = imaging.crop(await imaging.open(imageOf("franck_02159.jpg")), place);
  return drawPassport({ holder, lines, portrait, country: "CHILE" }, readOutlines());
};

/** What `make` makes of each argument, made once. */
const once = <Of, Made>(make: (of: Of) => Promise<Made>): ((of: Of) => Promise<Made>) => {
  const known = new Map<Of, Promise<Made>>();
  return (of) => {
    const made = known.get(of) ?? make(of);
    known.set(of, made);
    return made;
  };
};

const pageOf = once((holder: PassportHolder) => drawPage(holder));

const cardOf = once(async (card: DrawnCard) => {
  const opened = await imaging.open(imageOf("franck_02159.jpg"));
  const cut = imaging.crop(opened, { x: 270, y: 130, width: 257, height: 330 });
  const portrait = await imaging.resize(cut, portraitSize.width, portraitSize.height);
  return await drawNationalCard(card, portrait, readOutlines(), 5);
});

/** An image on a plain ground, which shows on all sides. */
const onGround = (
  { width, height, data }: Image,
  colour: readonly [number, number, number],
  margin = 120,
): Image => {
  const [wide, high] = [width + 2 * margin, height + 2 * margin];
  const scan = Uint8Array.from({ length: 3 * wide * high }, (_, i) => colour[i % 3]!);
  for (let row = 0; row < height; row++) {
    const line = data.subarray(3 * row * width, 3 * (row + 1) * width);
    scan.set(line, 3 * ((row + margin) * wide + margin));
  }
  return { width: wide, height: high, data: scan };
};

/** A side of a card, as a scanner sees it. */
const scanned =
  (card: DrawnCard, side: "front" | "back"): Draw =>
  async () =>
    await imaging.encodeJpeg(onGround((await cardOf(card))[side], [40, 40, 40]), 85);

/** Images of documents that the http lane sends, by name. */
export const sentImages = {
  /** As a hand-held telephone sees it. */
  "a photographed passport": async () => await imaging.encodeJpeg(photographPage(await pageOf(ana), 7), 92),
  "a grey copy of a passport": async () =>
    await imaging.encodeJpeg(onGround(grey(await pageOf(ana)), [120, 85, 55]), 92),
  "a passport with a wrong check digit": async () =>
    await imaging.encodeJpeg(await drawPage(ana, breakCheckDigit(writePassportLines(ana))), 92),
  "an empty table": () =>
    imaging.encodeJpeg({ width: 1200, height: 900, data: new Uint8Array(3_240_000).fill(120) }, 90),
  "a scanned passport": async () => await imaging.encodeJpeg(await pageOf(franco), 90),
  "a selfie": async () => imageOf("franck_04035.jpg"),
  "the front of an Ecuadorian card": scanned(ecuador, "front"),
  "the back of an Ecuadorian card": scanned(ecuador, "back"),
  "the front of an Argentine card": scanned(argentina, "front"),
  "the back of an Argentine card": scanned(argentina, "back"),
  "the front of a Honduran card": scanned(honduras, "front"),
  "the back of a Honduran card": scanned(honduras, "back"),
} as const satisfies Readonly<Record<string, Draw>>;

export type SentImage = keyof typeof sentImages;

/** Draws an image of a name, once for all test files of a worker. */
export const drawSent: (name: SentImage) => Promise<Uint8Array> = once((name) => sentImages[name]());
