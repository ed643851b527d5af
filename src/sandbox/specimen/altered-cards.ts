import type { Image, Imaging } from "#machine/imaging/image";
import type { CardHolder } from "./cards/card-holder.ts";
import { type CardLayout, printed } from "./cards/card-layout.ts";
import { type CardCountry, cardMarks, layoutOf } from "./cards/cards.ts";
import { type CardImages, drawCardSides, portraitSize } from "./cards/draw-card.ts";
import { readOutlines } from "./lettering.ts";
import { photographPage } from "./photograph.ts";

/** An invented holder of a card. */
const holderOf = (country: CardCountry, numbers: Partial<CardHolder>): CardHolder => ({
  country,
  documentNumber: "123456785",
  printedNumber: "12.345.678-5",
  cardSerial: "A12345678",
  givenNames: ["ANA", "MARÍA"],
  surnames: ["SOLÍS", "PRUEBA"],
  dateOfBirth: "1990-01-01",
  gender: "F",
  civilStatus: "single",
  fatherName: "LUIS SOLÍS",
  motherName: "ROSA PRUEBA",
  address: "CALLE INVENTADA 12",
  city: "SANTIAGO",
  province: "SANTIAGO",
  placeCode: "150101",
  issueDate: "2025-01-02",
  expiryDate: "2035-01-01",
  ...numbers,
});

const holders = {
  CHL: holderOf("CHL", {}),
  ECU: holderOf("ECU", {
    documentNumber: "1710034065",
    printedNumber: "1710034065",
    cardSerial: "123456784",
    documentCode: "V1234I5678",
  }),
  HND: holderOf("HND", {
    documentNumber: "0801199012345",
    printedNumber: "0801 1990 12345",
    cardSerial: "001234567",
  }),
  ARG: holderOf("ARG", {
    documentNumber: "12345678",
    printedNumber: "12.345.678",
    cardSerial: "00123456789",
    documentCode: "00123456789",
  }),
} as const;

type Held = keyof typeof holders;

const layout = (country: Held): CardLayout => layoutOf(country, holders[country]);

/** The layout without the front's texts for which `isCovered` holds. */
const covered = (country: Held, isCovered: (text: string) => boolean): CardLayout => {
  const whole = layout(country);
  return { ...whole, front: whole.front.filter(({ text }) => !isCovered(text)) };
};

/** A barcode of California (AAMVA DL/ID Card Design Standard), expired. */
const licence =
  "@\n\x1e\rANSI 636000080002DL00410278ZV03190008DLDAQX1234\rDCSPRUEBA\rDBB01151990\rDBA01012020\rDCGUSA\r";

const { barcode: _, ...argentinaWithoutBarcode } = covered("ARG", (text) => text.includes("00123456789"));

/** The front of one card and the back of another. */
const mixed: CardLayout = { ...layout("ECU"), front: layout("CHL").front };

/** Cards that differ from a genuine one as their key says. */
export const alteredCards = {
  "an Ecuadorian card": { layout: layout("ECU") },
  "a Honduran card": { layout: layout("HND") },
  "a Honduran card without its number": { layout: covered("HND", (text) => text === "0801 1990 12345") },
  "an Argentine card without its process number": { layout: argentinaWithoutBarcode },
  "a Chilean front with an Ecuadorian back": { layout: mixed },
  "an expired licence": {
    layout: { front: printed([0.36, 0.1, "DRIVER LICENSE"]), barcode: ["PDF417", licence] },
  },
} as const satisfies Readonly<Record<string, { readonly layout: CardLayout }>>;

export type AlteredCardName = keyof typeof alteredCards;

const seed = 5;

/** Draws cards with this portrait and photographs a side of them. */
export const makePhotographCard = (imaging: Imaging, portrait: Image) => {
  const outlines = readOutlines();
  const drawn = async (name: AlteredCardName): Promise<CardImages> => {
    const sized = await imaging.resize(portrait, portraitSize.width, portraitSize.height);
    return await drawCardSides({
      layout: alteredCards[name].layout,
      portrait: sized,
      outlines,
      seed,
      mark: cardMarks.artificial,
    });
  };
  return async (name: AlteredCardName, side: "front" | "back"): Promise<Uint8Array> => {
    const scene = photographPage((await drawn(name))[side], side === "front" ? seed : seed + 1);
    return await imaging.encodeJpeg(scene, 90);
  };
};
