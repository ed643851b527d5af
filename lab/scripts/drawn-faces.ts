/**
 * Measures the drawn faces of sandbox persons with the engine: how many are found, how many selfies match the
 * portrait of the same person, and how many that of another. Usage: node lab/scripts/drawn-faces.ts [PERSONS]
 */

import { endWithHelp } from "../../scripts/help.ts";
import { fmrAtScore, scoreAtFmr } from "../../src/judging/face/matching/calibration.ts";
import { compare } from "../../src/judging/face/matching/comparison.ts";
import { unpackTemplate } from "../../src/judging/face/matching/template.ts";
import { personAt } from "../../src/sandbox/persons/persons.ts";
import { drawPortrait, drawSelfieOf } from "../../src/sandbox/specimen/drawn-person.ts";
import { expose } from "../../src/sandbox/specimen/photograph.ts";
import { openFaceEngine } from "../../test/support/face/images.ts";

endWithHelp(import.meta.filename);

const count = Number(process.argv[2] ?? 16);
const { imaging, measure } = openFaceEngine();

const templateOf = async (image: Parameters<typeof expose>[0], seed: number) => {
  const exposed = expose(image, { noise: 1.5, blurPx: 0, falloff: 0.9, seed });
  const measured = await measure(await imaging.encodeJpeg(exposed, 90), { template: true });
  return measured.kind === "measured" && measured.template !== undefined
    ? unpackTemplate(measured.template)
    : undefined;
};

type Found = NonNullable<Awaited<ReturnType<typeof templateOf>>>;
const found: { readonly portrait: Found; readonly selfie: Found }[] = [];
for (let index = 2; index < count + 2; index++) {
  const { face, gender } = personAt("ECU", index);
  if (face.kind !== "drawn") continue;
  const portrait = await templateOf(drawPortrait(face.seed, gender, { width: 168, height: 216 }), index);
  const selfie = await templateOf(drawSelfieOf(face.seed, gender, { width: 210, height: 280 }), index + 1);
  if (portrait !== undefined && selfie !== undefined) found.push({ portrait, selfie });
}

const scores = found.flatMap(({ portrait }, at) =>
  found.flatMap(({ selfie }, of) => {
    const score = compare(portrait, selfie)?.score;
    return score === undefined ? [] : [{ isSame: at === of, score }];
  }),
);
const share = (isSame: boolean, least: number): string => {
  const own = scores.filter((one) => one.isSame === isSame);
  return ((100 * own.filter(({ score }) => score >= least).length) / own.length).toFixed(1);
};
const lowest = Math.min(...scores.flatMap(({ isSame, score }) => (isSame ? [score] : [])));
process.stdout.write(`${found.length} of ${count} persons: both images have a face\n`);
process.stdout.write(
  `lowest score of one person: ${lowest.toFixed(2)}, false match rate ${fmrAtScore(lowest)}\n`,
);
process.stdout.write("rate    one person matches  two persons match\n");
for (const rate of [1e-2, 1e-3, 1e-4, 1e-5, 1e-6]) {
  const least = scoreAtFmr(rate);
  process.stdout.write(`${rate.toExponential(0)}   ${share(true, least)} %   ${share(false, least)} %\n`);
}
process.exit(0);
