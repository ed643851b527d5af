import { expect, it } from "vitest";
import { judgeComparison } from "#judging/face/matching/judge-comparison";
import type { FaceMeasurement } from "#judging/face/measurement";
import { defaultFacePolicy } from "#judging/face/policy";
import type { Image } from "#machine/imaging/image";
import { photographTwoCards } from "#support/document/photograph-crossed";
import { openReader } from "#support/document/reader";
import { openReadings } from "#support/document/recorded-readings";
import { imageOf, openFaceEngine } from "#support/face/images";
import type { PortraitCrop } from "./reading.ts";

/** A card is drawn, photographed and read with all networks, twice. */
const timeoutMs = 240_000;

const { imaging, readDocument } = await openReader();
const { measure } = openFaceEngine();
const measured = openReadings(import.meta.url);

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
    const draw = {
      holder: async () => imageOf("franck_02159.jpg"),
      attacker: async () => imageOf("audrey.jpg"),
      card: async () => (await photographTwoCards(imaging, "PRT"))[0].front,
      crowded: async () => await withFaceBeside(await draw.card()),
    };
    const read = async (name: "card" | "crowded") =>
      (
        await measured(`the reading of ${name}`, async () =>
          readDocument({ front: await draw[name]() }, { type: "ID_CARD" }),
        )
      ).front;
    const face = (name: keyof typeof draw, portrait?: PortraitCrop) =>
      measured(portrait ? `${name}, its portrait` : name, async () =>
        measure(await draw[name](), { template: true, ...(portrait && { area: portrait.area }) }),
      );
    const alone = await read("card");
    const beside = await read("crowded");
    expect([alone.otherPortraits, beside.otherPortraits]).toEqual([undefined, 1]);
    const [holder, attacker] = [await face("holder"), await face("attacker")];
    const whole = await face("crowded");
    // The whole image is of the attacker.
    expect([resultOf(whole, attacker), resultOf(whole, holder)]).toEqual([
      "Positive",
      expect.not.stringMatching("Positive"),
    ]);
    const part = await face("crowded", beside.portrait);
    expect([resultOf(part, holder), resultOf(part, attacker)]).toEqual(["Positive", "Negative"]);
    // Of an honest card the part answers as the whole image does.
    const honest = await face("card", alone.portrait);
    expect([resultOf(await face("card"), holder), resultOf(honest, holder)]).toEqual([
      "Positive",
      "Positive",
    ]);
  },
  timeoutMs,
);
