import { expect, it } from "vitest";
import { judgeComparison } from "#judging/face/matching/judge-comparison";
import type { FaceMeasurement } from "#judging/face/measurement";
import { defaultFacePolicy } from "#judging/face/policy";
import type { Image } from "#machine/imaging/image";
import { photographTwoCards } from "#support/document/photograph-crossed";
import { openReader } from "#support/document/reader";
import { imageOf, openFaceEngine } from "#support/face/images";

/** A card is drawn, photographed and read with all networks, twice. */
const timeoutMs = 240_000;

const { imaging, readDocument } = await openReader();
const { measure } = openFaceEngine();

/** The photograph with a larger face to its right: the attacker's, beside the victim's card. */
const withFaceBeside = async (photograph: Uint8Array): Promise<Uint8Array> => {
  const [card, found] = await Promise.all([imaging.open(photograph), imaging.open(imageOf("audrey.jpg"))]);
  const height = card.height;
  const face = await imaging.resize(found, Math.round((found.width / found.height) * height), height);
  const both: Image = {
    width: card.width + face.width,
    height,
    data: new Uint8Array((card.width + face.width) * height * 3),
  };
  for (let y = 0; y < height; y++) {
    both.data.set(card.data.subarray(y * card.width * 3, (y + 1) * card.width * 3), y * both.width * 3);
    const row = face.data.subarray(y * face.width * 3, (y + 1) * face.width * 3);
    both.data.set(row, (y * both.width + card.width) * 3);
  }
  return await imaging.encodeJpeg(both, 92);
};

const resultOf = (a: FaceMeasurement, b: FaceMeasurement) =>
  judgeComparison(a, b, defaultFacePolicy.comparison, { use: "document", sizeRatios: [0.8, 0.35] }).result;

it(
  "a larger face beside a card is another portrait, and not the reference of its holder",
  async () => {
    const [{ front } = { front: new Uint8Array() }] = await photographTwoCards(imaging, "PRT");
    const crowded = await withFaceBeside(front);
    const alone = (await readDocument({ front }, { type: "ID_CARD" })).front;
    const beside = (await readDocument({ front: crowded }, { type: "ID_CARD" })).front;
    expect([alone.otherPortraits, beside.otherPortraits]).toEqual([undefined, 1]);
    const template = { template: true } as const;
    const [holder, attacker] = await Promise.all([
      measure(imageOf("franck_02159.jpg"), template),
      measure(imageOf("audrey.jpg"), template),
    ]);
    const whole = await measure(crowded, template);
    // The whole image is of the attacker.
    expect([resultOf(whole, attacker), resultOf(whole, holder)]).toEqual([
      "Positive",
      expect.not.stringMatching("Positive"),
    ]);
    const part = await measure(crowded, { ...template, area: beside.portrait!.area });
    expect([resultOf(part, holder), resultOf(part, attacker)]).toEqual(["Positive", "Negative"]);
    // Of an honest card the part answers as the whole image does.
    const honest = await measure(front, { ...template, area: alone.portrait!.area });
    expect([resultOf(await measure(front, template), holder), resultOf(honest, holder)]).toEqual([
      "Positive",
      "Positive",
    ]);
  },
  timeoutMs,
);
