/**
 * Fits the weights of `src/document/reading/locate/certainty.ts` on drawn photographs (photographs.py), and prints them.
 *
 * node training/corners/fit-certainty.ts PHOTOGRAPHS/all.json
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { makeReadCardMaps } from "#document/reading/locate/card-maps";
import { type Cues, cueNames, cuesIn } from "#document/reading/locate/certainty";
import { intersectionOverUnion, scaleCorners } from "#document/reading/locate/geometry";
import { into, makeProposeQuads } from "#document/reading/locate/propose-quads";
import type { Quad } from "#imaging/image";
import { makeImaging } from "#imaging/imaging";
import { defaultImagingLimits } from "#imaging/limits";
import { ledger } from "#inference/ledger";
import { openNetworks } from "#inference/networks";
import { solveLinear } from "#statistics/linear-system";

/** A quadrilateral with its cues; all of one image share a weight of 1. */
type Example = { readonly values: readonly number[]; readonly isRight: boolean; readonly share: number };

const [list] = process.argv.slice(2);
if (list === undefined) throw new Error("usage: node training/corners/fit-certainty.ts PHOTOGRAPHS/all.json");

const imaging = makeImaging({ limits: defaultImagingLimits });
const { networks } = openNetworks(ledger, undefined, []);
const propose = makeProposeQuads(imaging, makeReadCardMaps(imaging, networks["card-finder"]));
const rightMin = 0.9;

/** What the searches found in an image. */
const examplesOf = async (file: string, truth: Quad | null): Promise<readonly Example[]> => {
  const image = await imaging.open(await readFile(file), { longSideMax: 2000 });
  const { whole, proposals } = await propose(image);
  const wanted = truth && scaleCorners(truth, image.scale, image.scale);
  const judged = proposals.flatMap(({ near, found }) => {
    const cues = cuesIn(whole, near);
    return found.map((quad) => {
      const isRight = wanted !== null && intersectionOverUnion(quad, wanted) > rightMin;
      const here: Cues = cues(into(near, quad));
      return { values: [...cueNames.map((name) => here[name]), 1], isRight };
    });
  });
  return judged.map((example) => ({ ...example, share: 1 / judged.length }));
};

const penalty = 1e-3;
const rounds = 30;

const oddsOf = (weights: Float64Array, values: readonly number[]): number =>
  values.reduce((sum, value, i) => sum + value * weights[i]!, 0);

/** Logistic regression by Newton's method; a cue that would support wrong quadrilaterals gets no weight. */
const fit = (examples: readonly Example[]): Float64Array => {
  const size = examples[0]!.values.length;
  const total = examples.reduce((sum, { share }) => sum + share, 0);
  const at = new Float64Array(size);
  for (let round = 0; round < rounds; round++) {
    const system = Array.from({ length: size }, () => new Float64Array(size + 1));
    for (const { values, isRight, share } of examples) {
      const p = 1 / (1 + Math.exp(-oddsOf(at, values)));
      for (let i = 0; i < size; i++) {
        for (let k = 0; k < size; k++)
          system[i]![k]! += (share / total) * p * (1 - p) * values[i]! * values[k]!;
        system[i]![size]! += (share / total) * ((isRight ? 1 : 0) - p) * values[i]!;
      }
    }
    for (let i = 0; i < size - 1; i++) {
      system[i]![i]! += penalty;
      system[i]![size]! -= penalty * at[i]!;
    }
    const step = solveLinear(system);
    if (step === undefined) throw new Error("The cues do not determine the weights");
    for (let i = 0; i < size; i++) at[i]! += step[i]!;
    for (let i = 0; i < size - 1; i++) at[i] = Math.max(0, at[i]!);
  }
  return at;
};

/** The most certain quadrilateral of an image is surer than it should be: a second fit, to these alone, corrects that. */
const correct = (weights: Float64Array, images: readonly (readonly Example[])[]): Float64Array => {
  const chosen = images.flatMap((examples) =>
    examples.toSorted((a, b) => oddsOf(weights, b.values) - oddsOf(weights, a.values)).slice(0, 1),
  );
  const [scale, shift] = fit(
    chosen.map((example) => ({ ...example, values: [oddsOf(weights, example.values), 1], share: 1 })),
  );
  return weights.map((weight, i) => weight * scale! + (i === weights.length - 1 ? shift! : 0));
};

const { quads }: { quads: Record<string, Quad | null> } = JSON.parse(await readFile(list, "utf8"));
const images: (readonly Example[])[] = [];
for (const [name, truth] of Object.entries(quads)) {
  images.push(await examplesOf(path.resolve(path.dirname(list), name), truth));
}
const weights = correct(fit(images.flat()), images);
for (const [i, name] of [...cueNames, "offset"].entries()) console.log(`${name}: ${weights[i]!.toFixed(2)}`);
