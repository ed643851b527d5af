import type { DeclaredType } from "#judging/document/decision/finding";
import type { DocumentImages } from "#judging/document/reading/read-document";
import type { Image } from "#machine/imaging/image";
import { fill, plain, rectangle } from "#sandbox/specimen/canvas";
import { stamp } from "#sandbox/specimen/cards/blank-card";
import { type CardLayout, printed } from "#sandbox/specimen/cards/card-layout";
import { write } from "#sandbox/specimen/lettering";
import { type CrossedCountry, cardOf, type Person, personOf } from "./crossed-cards.ts";
import { openPhotographPassport } from "./passport-photographs.ts";
import type { Studio } from "./photograph-crossed.ts";

/** Images that show no document of one person. `own`: a document of one person, drawn in the same way. */
export type Scene = {
  readonly name: string;
  readonly country: CrossedCountry;
  readonly type: DeclaredType;
  readonly isOwn?: true;
  readonly draw: (studio: Studio) => Promise<DocumentImages>;
};

/** The name under which the reading of a scene is recorded. */
export const sceneNameOf = ({ name, country }: Scene): string => `${name} of ${country}`;

const victimOf = (country: CrossedCountry): CardLayout => cardOf(country, personOf(country, 12));
const ownOf = (country: CrossedCountry): CardLayout => cardOf(country, personOf(country, 7));

const copyOf = (image: Image): Image => ({ ...image, data: new Uint8Array(image.data) });

/** The colour of a hand. */
const skin = [205, 160, 130] as const;

/** Seeds of the photographs of a front and of another card's back. */
const seeds = { front: 5, back: 6 } as const;

/**
 * The front is the victim's back with an own portrait on it. `coveredFrom`: from there down, as a share of
 * the height, a hand covers it.
 */
const stolenBack =
  (layout: CardLayout, portraitTop: number, coveredFrom = 1): Scene["draw"] =>
  async ({ draw, shoot, encode, portrait }) => {
    const { back } = await draw(layout, seeds.back);
    const front = copyOf(back);
    const { width, height } = front;
    fill(front, [rectangle(0, coveredFrom * height, width, (1 - coveredFrom) * height)], skin);
    stamp(front, portrait, 60, portraitTop);
    return {
      front: await encode(shoot(front, seeds.front)),
      back: await encode(shoot(back, seeds.back, { isBack: true })),
    };
  };

/** The front of one card, changed, with the back of another. */
const crossed =
  (
    own: CardLayout,
    victim: CardLayout,
    change: (front: Image, studio: Studio) => void = () => {},
  ): Scene["draw"] =>
  async (studio) => {
    const { draw, shoot, encode } = studio;
    const [{ front }, { back }] = [await draw(own, seeds.front), await draw(victim, seeds.back)];
    const changed = copyOf(front);
    change(changed, studio);
    return {
      front: await encode(shoot(changed, seeds.front)),
      back: await encode(shoot(back, seeds.back, { isBack: true })),
    };
  };

/** Headings and a portrait, without data. */
const headingOf = ({ front }: CardLayout): CardLayout => ({ front: front.slice(0, 2) });

/** The front's headings and portrait with the victim's barcode cut out and laid on them. */
const barcodeOnFront =
  (victim: CardLayout): Scene["draw"] =>
  async ({ imaging, draw, shoot, encode }) => {
    const { back } = await draw(victim, seeds.back);
    const { front } = await draw(headingOf(victim), seeds.front);
    const pieceWidth = 920;
    const x = back.width - 960;
    stamp(front, imaging.crop(back, { x, y: 330, width: pieceWidth + 10, height: 320 }), x, 560);
    return {
      front: await encode(shoot(front, seeds.front)),
      back: await encode(shoot(back, seeds.back, { isBack: true })),
    };
  };

/** The front of one person as the front, that of another as the back. */
const twoFronts =
  (one: CardLayout, other: CardLayout): Scene["draw"] =>
  async ({ draw, shoot, encode }) => {
    const [a, b] = [await draw(one, seeds.front), await draw(other, seeds.back)];
    return {
      front: await encode(shoot(a.front, seeds.front)),
      back: await encode(shoot(b.front, seeds.back)),
    };
  };

/** A piece of paper with a number. */
const sticker =
  (number: string) =>
  (front: Image, { outlines }: Studio): void => {
    const paper = plain(360, 60, [235, 235, 230]);
    write(paper, outlines.sans, number, { x: 16, baseline: 44, emPx: 38, colour: [30, 30, 40] });
    stamp(front, paper, 60, 800);
  };

const numberOf = ({ mrz }: CardLayout): string => (mrz?.[0] ?? "").slice(5, 14).replaceAll("<", "");

/** A back that prints the number of its card, as those of many countries do. */
const withNumberBehind = (layout: CardLayout): CardLayout => ({
  ...layout,
  back: printed(
    [0.45, 0.06, "DOKUMENDI NUMBER"],
    [0.45, 0.12, numberOf(layout)],
    [0.45, 0.22, "VALJA ANDNUD"],
    [0.45, 0.28, "POLITSEI- JA PIIRIVALVEAMET"],
  ),
});

/** Two persons with the same surnames, days and sex, and one given name in common. */
const siblings = (country: CrossedCountry): readonly [CardLayout, CardLayout] => {
  const elder: Person = { ...personOf(country, 7), givenNames: ["MARIA", "JOSE"] };
  const { surnames, dateOfBirth, gender, issueDate, expiryDate } = elder;
  const shared = { surnames, dateOfBirth, gender, issueDate, expiryDate };
  const younger: Person = { ...personOf(country, 12), ...shared, givenNames: ["MARIA", "PAZ"] };
  return [cardOf(country, elder), cardOf(country, younger)];
};

const passportOf = async ({ imaging }: Studio): Promise<Uint8Array> =>
  await (await openPhotographPassport(imaging))({});

/** An own card above the MRZ of another person's passport, on one image. */
const passportStrip: Scene["draw"] = async (studio) => {
  const { imaging, draw, shoot, encode } = studio;
  const { front } = await draw(ownOf("EST"), seeds.front);
  const page = await imaging.open(await passportOf(studio));
  const strip = imaging.crop(page, { x: 60, y: 700, width: 1160, height: 230 });
  const scene = shoot(front, seeds.front, { share: 0.62 });
  stamp(scene, await imaging.resize(strip, 1500, 297), 250, 1200);
  return { front: await encode(scene) };
};

const card = (name: string, country: CrossedCountry, draw: Scene["draw"]): Scene => ({
  name,
  country,
  type: "ID_CARD",
  draw,
});

const backs = (["CHL", "ARG", "PER"] as const).flatMap((country) => [
  card("a portrait on a stolen back, its MRZ covered", country, stolenBack(victimOf(country), 560, 0.6)),
  card("a portrait over the beginning of a stolen back's MRZ", country, stolenBack(victimOf(country), 300)),
  card("a stolen barcode on a front without data", country, barcodeOnFront(victimOf(country))),
]);

/**
 * Every way by which a portrait was once approved with another person's data, and three documents of one
 * person.
 */
export const untiedScenes: readonly Scene[] = [
  ...backs,
  ...(["EST", "PRT"] as const).map((country) =>
    card(
      "a portrait on a stolen back that prints its number",
      country,
      stolenBack(withNumberBehind(victimOf(country)), 90, 0.6),
    ),
  ),
  card(
    "a portrait on a stolen back, its taxpayer number alone visible",
    "ARG",
    stolenBack(victimOf("ARG"), 500, 0.28),
  ),
  ...(["EST", "PRT", "CHL"] as const).map((country) =>
    card("siblings with a given name in common", country, crossed(...siblings(country))),
  ),
  ...(["EST", "POL"] as const).map((country) =>
    card(
      "a sticker with a stolen number on an own front",
      country,
      crossed(ownOf(country), victimOf(country), sticker(numberOf(victimOf(country)))),
    ),
  ),
  ...(["CHL", "PER"] as const).flatMap((country) => [
    card("the fronts of two persons", country, twoFronts(ownOf(country), victimOf(country))),
    card(
      "a front without data and the front of another person",
      country,
      twoFronts(headingOf(victimOf(country)), victimOf(country)),
    ),
  ]),
  {
    ...card("an own front and the page of a passport", "CHL", async (studio) => ({
      front: (await crossed(ownOf("EST"), ownOf("EST"))(studio)).front,
      back: await passportOf(studio),
    })),
    type: "PASSPORT",
  },
  { ...card("an own front above the MRZ of a passport", "CHL", passportStrip), type: "PASSPORT" },
  ...(["EST", "CHL"] as const).map((country): Scene => {
    const [one] = siblings(country);
    return { ...card("a card of one person", country, crossed(one, one)), isOwn: true };
  }),
  {
    ...card("a passport", "CHL", async (studio) => ({ front: await passportOf(studio) })),
    type: "PASSPORT",
    isOwn: true,
  },
];
