/**
 * Measures liveness and comparison in dark rooms, with the bounds of quality and without them: the table of
 * docs/measurements/liveness.md, "Dark rooms".
 *
 * node lab/scripts/measure-dark-selfies.ts PORTRAITS [SELFIES] [SEED]
 */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { endWithHelp } from "../../scripts/help.ts";
import { judgeLiveness } from "../../src/judging/face/liveness/judge-liveness.ts";
import { scoreAtFmr } from "../../src/judging/face/matching/calibration.ts";
import { compare } from "../../src/judging/face/matching/comparison.ts";
import { unpackTemplate } from "../../src/judging/face/matching/template.ts";
import { defaultFacePolicy } from "../../src/judging/face/policy.ts";
import type { Image } from "../../src/machine/imaging/image.ts";
import { attackKinds, drawAttack } from "../../src/sandbox/specimen/attack.ts";
import { expose } from "../../src/sandbox/specimen/photograph.ts";
import { drawSelfie } from "../../src/sandbox/specimen/selfie.ts";
import { openFaceEngine } from "../../test/support/face/images.ts";

endWithHelp(import.meta.filename);

const [folder, countText = "24", seedText = "7000"] = process.argv.slice(2);
const [count, seed] = [Number(countText), Number(seedText)];
if (folder === undefined || !(count > 0) || !Number.isInteger(seed)) {
  throw new Error("usage: node lab/scripts/measure-dark-selfies.ts PORTRAITS [SELFIES] [SEED]");
}

const { imaging, measure } = openFaceEngine();
const { liveness } = defaultFacePolicy;
const withoutBounds = { ...liveness, brightnessMin: 0, contrastMin: 0, sharpnessMin: 0 };
/** The lowest score of one person at the standard false-match rate. */
const threshold = scoreAtFmr(1e-2);
/** Share of the light, and the noise of a sensor that amplifies it. */
const lights = [
  [1, 0],
  [0.5, 5],
  [0.35, 6],
  [0.2, 7],
] as const;

const dim = ({ width, height, data }: Image, light: number, noise: number, at: number): Image =>
  light === 1
    ? { width, height, data }
    : expose(
        { width, height, data: data.map((value) => Math.round(value * light)) },
        { noise, blurPx: 0, falloff: 0.8, seed: at },
      );

const counts = new Map<string, number>();
const note = (row: string): void => {
  counts.set(row, (counts.get(row) ?? 0) + 1);
};

const names = (await readdir(folder)).filter((name) => name.endsWith(".jpg")).toSorted();
for (let i = 0; i < count; i++) {
  const file = await readFile(path.join(folder, names[(i * 37) % names.length]!));
  const { width, height, data } = await imaging.open(file);
  const selfie = drawSelfie({ width, height, data }, seed + i);
  const kind = attackKinds[i % attackKinds.length]!;
  const attack = drawAttack(kind, kind === "cut-out" ? { width, height, data } : selfie, seed + 4000 + i);
  const portrait = await measure(file, { template: true });
  for (const [light, noise] of lights) {
    for (const [what, shown] of [
      ["selfie", selfie],
      ["attack", attack],
    ] as const) {
      const image = await imaging.encodeJpeg(dim(shown, light, noise, seed + i), 88);
      const measured = await measure(image, { template: true, liveness: true });
      note(`light ${light}: ${what}: ${judgeLiveness(measured, liveness).result}`);
      note(`light ${light}: ${what} without bounds: ${judgeLiveness(measured, withoutBounds).result}`);
      if (what === "attack" || measured.kind !== "measured" || portrait.kind !== "measured") continue;
      const [probe, reference] = [measured.template, portrait.template].map(
        (one) => one && unpackTemplate(one),
      );
      const score = probe && reference && compare(probe, reference)?.score;
      note(`light ${light}: same person: ${score !== undefined && score >= threshold}`);
    }
  }
}
for (const [row, n] of [...counts].toSorted(([a], [b]) => a.localeCompare(b))) console.log(`${row}: ${n}`);
