/** Composition root of `idem measure`: the product's own engine and judges, without store, keys or server. */
import type { Config } from "./config.ts";
import { summariseDocuments } from "./document/measure.ts";
import { blendCohort, type CohortFace, cohortGain, cohortPersonsMin } from "./face/blend-cohort.ts";
import { scoreAtFmr, similarityOf } from "./face/calibration.ts";
import { chooseCrossPairs, choosePairs } from "./face/choose-pairs.ts";
import { packCohort } from "./face/cohort.ts";
import { compare } from "./face/comparison.ts";
import { judgeLiveness } from "./face/judge-liveness.ts";
import { reportFaces, reportLiveness } from "./face/measure.ts";
import { isSamePictureTwice, reportGroups } from "./face/measure-groups.ts";
import type { FaceEngine, FaceMeasurement } from "./face/measurement.ts";
import { defaultFacePolicy } from "./face/policy.ts";
import { unpackTemplate } from "./face/template.ts";
import { recogniserInUse } from "./open-cohort.ts";
import { type Engine, openEngine, readEngineFiles } from "./open-engine.ts";

/** Blends of one population differ by it alone; any would do. */
const cohortSeed = 5;

/**
 * What the measuring commands take, and how to let the engine go. The engine opens with the first picture, so that
 * wrong words and wrong lists are told at once.
 */
export const makeMeasuring = (config: Config) => {
  let opening: Promise<Engine> | undefined;
  const open = async (): Promise<Engine> => {
    const engine = openEngine(config, await readEngineFiles(config), () => undefined);
    await engine.pool.ready;
    return engine;
  };
  const engine = (): Promise<Engine> => (opening ??= open());
  const threshold = scoreAtFmr(config.faces.falseMatchRates.selfie);
  const concurrency = config.inference.workers;
  const measure: FaceEngine["measure"] = async (...args) => await (await engine()).face.measure(...args);
  return {
    faces: {
      measure,
      concurrency,
      unpackTemplate,
      compare,
      choosePairs,
      chooseCrossPairs,
      summarise: reportFaces,
      summariseGroups: reportGroups,
      isSamePictureTwice,
      similarityOf,
      threshold,
    },
    cohort: {
      measure,
      concurrency,
      unpackTemplate,
      personsMin: cohortPersonsMin,
      blend: (people: readonly CohortFace[]) => blendCohort(people, recogniserInUse(), cohortSeed),
      gain: (people: readonly (CohortFace & { readonly commonness: number })[]) =>
        cohortGain(people, recogniserInUse(), threshold, cohortSeed),
      pack: packCohort,
    },
    liveness: {
      measure,
      concurrency,
      judge: (measurement: FaceMeasurement) => judgeLiveness(measurement, defaultFacePolicy.liveness),
      summarise: reportLiveness,
    },
    documents: {
      read: async (bytes: Uint8Array) => (await (await engine()).pool.run("readMrz", { bytes })) ?? undefined,
      summarise: summariseDocuments,
    },
    close: async () => await (await opening)?.pool.close(),
  };
};
