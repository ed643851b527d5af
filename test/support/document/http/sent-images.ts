import type { Image } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { readOutlines } from "#sandbox/specimen/lettering";
import { breakCheckDigit, type PassportHolder, writePassportLines } from "#sandbox/specimen/mrz";
import { drawPassport } from "#sandbox/specimen/passport";
import { photographPage } from "#sandbox/specimen/photograph";
import { imageOf } from "../../face/images.ts";
import { makePhotographCard } from "../card-photographs.ts";
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
  const photographCard = await makePhotographCard(imaging);
  return await photographCard(card, 5, { width: 1600, height: 1200 });
});

/** A side of a card, as a hand-held telephone sees it. */
const cardSide =
  (card: DrawnCard, side: "front" | "back"): Draw =>
  async () =>
    (await cardOf(card))[side];

/** A page, as a hand-held telephone sees it. */
const photographed = (page: Image, seed: number): Promise<Uint8Array> =>
  imaging.encodeJpeg(photographPage(page, seed), 92);

/** Images of documents that the http lane sends, by name. */
const sentImages = {
  "a photographed passport": async () => await photographed(await pageOf(ana), 7),
  "a grey copy of a passport": async () => await photographed(grey(await pageOf(ana)), 8),
  "a passport with a wrong check digit": async () =>
    await photographed(await drawPage(ana, breakCheckDigit(writePassportLines(ana))), 9),
  "an empty table": () =>
    imaging.encodeJpeg({ width: 1200, height: 900, data: new Uint8Array(3_240_000).fill(120) }, 90),
  "a scanned passport": async () => await imaging.encodeJpeg(await pageOf(franco), 90),
  "a selfie": async () => imageOf("franck_04035.jpg"),
  "the front of an Ecuadorian card": cardSide(ecuador, "front"),
  "the back of an Ecuadorian card": cardSide(ecuador, "back"),
  "the front of an Argentine card": cardSide(argentina, "front"),
  "the back of an Argentine card": cardSide(argentina, "back"),
  "the front of a Honduran card": cardSide(honduras, "front"),
  "the back of a Honduran card": cardSide(honduras, "back"),
} as const satisfies Readonly<Record<string, Draw>>;

export type SentImage = keyof typeof sentImages;

/** Draws an image of a name, once for all test files of a worker. */
export const drawSent: (name: SentImage) => Promise<Uint8Array> = once((name) => sentImages[name]());
