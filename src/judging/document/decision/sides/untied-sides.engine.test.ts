import { expect, it } from "vitest";
import { openStudio } from "#support/document/photograph-crossed";
import { openReader } from "#support/document/reader";
import { caseOf } from "#support/document/reading";
import { openReadings } from "#support/document/recorded-readings";
import { sceneNameOf, untiedScenes } from "#support/document/untied-cards";
import { decideDocument } from "../decide.ts";

/** Two images are drawn, photographed and read with all networks in one thread, beside other tests. */
const timeoutMs = 240_000;

const { imaging, readDocument } = await openReader();
const studio = await openStudio(imaging);
const measured = openReadings(import.meta.url);

/** `untied-sides.test.ts` judges more of what is read here. */
it.each(untiedScenes)(
  "$name of $country, photographed, is approved where it is of one person alone",
  async (scene) => {
    const { country, type, isOwn = false, draw } = scene;
    // Without traces of attacks: the background of a drawn card may look like a screen's pattern.
    const reading = await measured(sceneNameOf(scene), async () =>
      readDocument(await draw(studio), { type }),
    );
    const { fields, declared, now, policy } = caseOf(reading, { country, type });
    const { decision } = decideDocument({ reading, fields }, declared, now, policy);
    expect(decision.code === 9001).toBe(isOwn);
  },
  timeoutMs,
);
