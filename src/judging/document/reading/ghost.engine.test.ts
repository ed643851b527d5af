import { expect, it } from "vitest";
import { personAt } from "#sandbox/persons/persons";
import { layoutOf } from "#sandbox/specimen/cards/cards";
import { printPortrait } from "#sandbox/specimen/print-portrait";
import { openStudio } from "#support/document/photograph-crossed";
import { openReader } from "#support/document/reader";
import { openReadings } from "#support/document/recorded-readings";
import { imageOf } from "#support/face/images";
import { judgePixelCues } from "../decision/attacks/pixel-cues.ts";

/** A card is drawn, photographed and read with all networks, three times. */
const timeoutMs = 240_000;

const { imaging, readSide } = await openReader();
const measured = openReadings(import.meta.url);
const { draw, shoot, encode } = await openStudio(imaging);
const { ghost: place, ...withoutGhost } = layoutOf("CHL", personAt("CHL", 7));

/** Twenty pixels to a millimetre; the size of a ghost. */
const ghostBox = { x: 20 * place![0], y: 20 * place![1], width: 220, height: 282 } as const;

const frontWith = async (ghost: "own" | "another's" | "none"): Promise<Uint8Array> => {
  const layout = ghost === "own" ? { ...withoutGhost, ghost: place! } : withoutGhost;
  const { front } = await draw(layout, 3);
  if (ghost === "another's") {
    const other = imaging.crop(await imaging.open(imageOf("audrey.jpg")), anotherPortrait);
    printPortrait(front, other, { ink: "black", place: ghostBox, density: 0.8 });
  }
  return await encode(shoot(front, 3));
};

/** Head and shoulders of another person. */
const anotherPortrait = { x: 60, y: 0, width: 450, height: 577 } as const;

const task = { mrz: "none", barcodes: false, attacks: true, upright: false } as const;

const ghostCue = async (ghost: Parameters<typeof frontWith>[0]) => {
  const { attack } = await measured(`with a ghost: ${ghost}`, async () =>
    readSide(await frontWith(ghost), task),
  );
  const cue = judgePixelCues(attack!, "front").find(({ name }) => name === "ghost-differs");
  return { ghost: attack!.ghost, level: cue?.level };
};

it(
  "a ghost of the holder is the portrait's own, a ghost of another person is a contradiction, and no ghost is neither",
  async () => {
    const own = await ghostCue("own");
    expect(own.level).toBe("none");
    expect(own.ghost!.likeness).toBeGreaterThan(0.93);
    expect(own.ghost!.widthShare).toBeCloseTo(11 / 21, 1);
    expect(await ghostCue("another's")).toMatchObject({ level: "strong" });
    expect(await ghostCue("none")).toEqual({ ghost: undefined, level: undefined });
  },
  timeoutMs,
);
