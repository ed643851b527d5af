import type { Image, Imaging } from "#machine/imaging/image";
import { showOnScreen } from "./attack.ts";
import { forgePortrait } from "./forge-portrait.ts";
import { readOutlines } from "./lettering.ts";
import { breakCheckDigit, type PassportHolder, writePassportLines } from "./mrz.ts";
import { drawPaper, drawPassport } from "./passport.ts";
import { type Persons, portraitBox } from "./persons.ts";
import { photographPage } from "./photograph.ts";

/** The expected result of a case; `verificationCodes` lists every correct code. */
export type Expected = {
  readonly outcome: "approved" | "rejected" | "retry" | "review";
  readonly facial: readonly number[];
  readonly liveness: readonly number[];
  readonly verificationCodes: readonly number[];
  readonly reasonCodes: readonly (number | null)[];
};

/** One demo applicant: a photograph of a document and a selfie. */
export type Case = {
  readonly name: string;
  readonly story: string;
  readonly document: Uint8Array;
  readonly selfie: Uint8Array;
  readonly expected: Expected;
};

const passes = { facial: [3], liveness: [3], verificationCodes: [9001], reasonCodes: [null] } as const;

/**
 * Makes the demo cases. The images are the same every time; the dates stay valid, because they are relative
 * to `now`.
 */
export const makeCases = async (imaging: Imaging, persons: Persons, now: Date): Promise<readonly Case[]> => {
  const portrait = imaging.crop(await imaging.open(persons.portrait), portraitBox);
  const [outlines, blank] = [readOutlines(), drawPaper()];
  const pageOf = (holder: PassportHolder, lines = writePassportLines(holder)) => ({
    holder,
    lines,
    portrait,
    country: "CHILE",
  });
  const photograph = async (holder: PassportHolder, isBroken: boolean, seed: number): Promise<Uint8Array> => {
    const lines = writePassportLines(holder);
    const page = drawPassport(pageOf(holder, isBroken ? breakCheckDigit(lines) : lines), outlines, blank);
    return await imaging.encodeJpeg(photographPage(page, seed), 90);
  };
  const valid = await photograph(holderUntil(inYears(now, 6)), false, 7);
  const expired = await photograph(holderUntil(inYears(now, -1)), false, 8);
  const broken = await photograph(holderUntil(inYears(now, 6)), true, 9);
  const pasted = await pasteOver(
    imaging,
    persons,
    drawPassport(pageOf(holderUntil(inYears(now, 6))), outlines, blank),
  );
  const screen = await imaging.encodeJpeg(showOnScreen(shrink(await imaging.open(persons.selfie)), 3), 90);
  return listCases(persons, { valid, expired, broken, screen, pasted });
};

/**
 * Where a page of `passport.ts` has its portrait, and the part of the other man's image that takes its place.
 */
const portraitOnPage = { x: 72, y: 168, width: 420, height: 540 } as const;
const portraitOfOther = { x: 40, y: 15, width: 420, height: 540 } as const;

/** The scan of a page, opened again as a file: another man's photograph is put over the portrait. */
const pasteOver = async (imaging: Imaging, persons: Persons, page: Image): Promise<Uint8Array> => {
  const scan = await imaging.open(await imaging.encodeJpeg(page, 85));
  const places = { portrait: portraitOnPage, face: portraitOnPage };
  const other = {
    image: await imaging.open(persons.impostor),
    places: { portrait: portraitOfOther, face: portraitOfOther },
  };
  return await imaging.encodeJpeg(forgePortrait("pasted", scan, places, other, 1), 92);
};

type Drawn = {
  readonly valid: Uint8Array;
  readonly expired: Uint8Array;
  readonly broken: Uint8Array;
  readonly screen: Uint8Array;
  readonly pasted: Uint8Array;
};

const listCases = (persons: Persons, drawn: Drawn): readonly Case[] => [
  {
    name: "genuine",
    story: "the holder with his valid passport",
    document: drawn.valid,
    selfie: persons.selfie,
    expected: { outcome: "approved", ...passes },
  },
  {
    name: "other-person",
    story: "another man with that passport",
    document: drawn.valid,
    selfie: persons.impostor,
    expected: { ...passes, outcome: "rejected", facial: [1] },
  },
  {
    name: "screen",
    story: "the holder's image, shown to the camera on a telephone",
    document: drawn.valid,
    selfie: drawn.screen,
    expected: { ...passes, outcome: "rejected", liveness: [17] },
  },
  {
    name: "expired",
    story: "the holder with a passport that expired a year ago",
    document: drawn.expired,
    selfie: persons.selfie,
    expected: { ...passes, outcome: "rejected", verificationCodes: [9102], reasonCodes: [511] },
  },
  {
    name: "broken-check-digit",
    story: "the holder with a passport whose birth date does not fit its check digit",
    document: drawn.broken,
    selfie: persons.selfie,
    expected: { ...passes, outcome: "review", verificationCodes: [9121], reasonCodes: [507] },
  },
  {
    name: "pasted-portrait",
    story: "another man, with his own photograph over the portrait in the scan of that passport",
    document: drawn.pasted,
    selfie: persons.impostor,
    // The selfie is the photograph that was pasted, and so no new capture.
    expected: {
      ...passes,
      outcome: "rejected",
      liveness: [17],
      verificationCodes: [9121],
      reasonCodes: [102, 506],
    },
  },
];

/** An invented holder. */
const holderUntil = (expiry: Date): PassportHolder => ({
  issuer: "CHL",
  nationality: "CHL",
  surname: "Muñoz Prueba",
  givenNames: "Franco Andrés",
  number: "F12345678",
  birth: "800314",
  sex: "M",
  expiry: expiry.toISOString().slice(2, 10).replaceAll("-", ""),
});

const inYears = (now: Date, years: number): Date =>
  new Date(Date.UTC(now.getUTCFullYear() + years, now.getUTCMonth(), Math.min(28, now.getUTCDate())));

/** Drops the file's facts that `open` adds: the drawing only needs the pixels. */
const shrink = ({ width, height, data }: Image): Image => ({ width, height, data });
