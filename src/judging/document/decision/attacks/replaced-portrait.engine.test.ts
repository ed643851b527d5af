import { expect, it } from "vitest";
import type { Image } from "#machine/imaging/image";
import { personAt } from "#sandbox/persons/persons";
import { drawNationalCard } from "#sandbox/specimen/cards/cards";
import { portraitSize } from "#sandbox/specimen/cards/draw-card";
import { drawPortrait } from "#sandbox/specimen/drawn-person";
import { forgePortrait, type PortraitForgery } from "#sandbox/specimen/forge-portrait";
import { readOutlines } from "#sandbox/specimen/lettering";
import { photographPage } from "#sandbox/specimen/photograph";
import { openReader } from "#support/document/reader";
import { caseOf } from "#support/document/reading";
import { openReadings } from "#support/document/recorded-readings";
import { imageOf } from "#support/face/images";
import { decideDocument } from "../decide.ts";
import { diagnose } from "../pad/diagnose.ts";

/** Both sides are drawn, photographed and read with all networks, four times. */
const timeoutMs = 300_000;

const { imaging, readDocument } = await openReader();
const measured = openReadings(import.meta.url);
const holder = personAt("GTM", 7);

/** Where portrait and face are on the photograph. */
const places = {
  portrait: { x: 150, y: 320, width: 380, height: 490 },
  face: { x: 235, y: 410, width: 205, height: 270 },
} as const;

const another = async () => ({
  image: await imaging.open(imageOf("audrey.jpg")),
  places: {
    portrait: { x: 60, y: 0, width: 450, height: 577 },
    face: { x: 150, y: 150, width: 250, height: 320 },
  },
});

const photographs = async (): Promise<{ readonly front: Uint8Array; readonly back: Uint8Array }> => {
  const drawn = drawPortrait(holder.index + 1, holder.gender, { width: 210, height: 270 });
  const portrait = await imaging.resize(drawn, portraitSize.width, portraitSize.height);
  const card = await drawNationalCard({
    country: "GTM",
    holder,
    portrait,
    outlines: readOutlines(),
    seed: 7,
  });
  const shoot = async (side: Image, seed: number): Promise<Uint8Array> =>
    await imaging.encodeJpeg(photographPage(await imaging.resize(side, 1450, 914), seed), 88);
  return { front: await shoot(card.front, 7), back: await shoot(card.back, 8) };
};

const decide = async (forgery?: PortraitForgery) => {
  const reading = await measured(forgery ?? "genuine", async () => {
    const { front, back } = await photographs();
    if (forgery === undefined) return readDocument({ front, back }, { type: "ID_CARD", attacks: true });
    const forged = forgePortrait(forgery, await imaging.open(front), places, await another(), 1);
    const saved = Uint8Array.from(await imaging.encodeJpeg(forged, 92));
    return readDocument({ front: saved, back }, { type: "ID_CARD", attacks: true });
  });
  const { fields, declared, now, policy } = caseOf(reading, { country: "GTM", type: "ID_CARD" });
  const decided = decideDocument({ reading, fields }, declared, now, policy);
  const { decision, reasons } = diagnose(reading, decided, undefined, policy);
  return { code: decided.decision.code, reason: decided.decision.reasonCode, decision, reasons };
};

// A portrait of another person on a card of the sandbox was approved (decision 0079).
it.each(["pasted", "blended", "swapped"] as const)(
  "a card of the sandbox is approved, and with a portrait of another person that is %s a person reviews it",
  async (forgery) => {
    expect(await decide()).toEqual({ code: 9001, reason: null, decision: "Credible", reasons: [] });
    const forged = await decide(forgery);
    expect([forged.code, forged.reason, forged.decision]).toEqual([9121, 506, "Doubtful"]);
    expect(forged.reasons.filter((reason) => /PHOTO|Photo/.test(reason))).not.toEqual([]);
  },
  timeoutMs,
);
