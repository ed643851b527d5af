/** Composition root of `idem measure`: the product's own engine and judges, without store, keys or server. */

import { livenessNumber } from "#contract/liveness";
import { version } from "#contract/version";
import { crossFitDocumentAttacks, fitDocumentAttacks } from "#evaluation/documents/fit-document-attacks";
import { judgeReading } from "#evaluation/documents/judge-reading";
import { type LocatedImage, summariseLocation } from "#evaluation/documents/measure-location";
import { type MrzVector, measureMrzVectors } from "#evaluation/documents/measure-mrz";
import { summariseDocuments } from "#evaluation/documents/measure-reading";
import { reportAttacks } from "#evaluation/documents/report-attacks";
import { blendCohort, type CohortFace, cohortPersonsMin } from "#evaluation/faces/blend-cohort";
import { chooseCrossPairs, choosePairs } from "#evaluation/faces/choose-pairs";
import { cohortGain, fitPoints } from "#evaluation/faces/fit-points";
import { reportFaces } from "#evaluation/faces/measure";
import { type AgeCase, reportAges } from "#evaluation/faces/measure-age";
import { isSameImageTwice, reportGroups } from "#evaluation/faces/measure-groups";
import { crossValidateLiveness, fitLiveness } from "#evaluation/liveness/fit-liveness";
import { reportCaptures } from "#evaluation/liveness/report-captures";
import { reportLiveness } from "#evaluation/liveness/report-liveness";
import { makeShadowReport } from "#evaluation/liveness/shadow-report";
import { defaultAttackPolicy } from "#judging/document/decision/attacks/attack-policy";
import { fuseCues } from "#judging/document/decision/attacks/fusion";
import { writeDocumentFusion } from "#judging/document/decision/attacks/fusion-file";
import { makeMergeSources } from "#judging/document/decision/fields";
import { cardScore } from "#judging/document/reading/locate/located-card";
import { printedLinesOnly } from "#judging/document/reading/side-task";
import { ageBands, ageIntervalOf } from "#judging/face/attributes/age-interval";
import { type AnsweredChallenge, judgeChallenge } from "#judging/face/challenge/judge-challenge";
import type { ChallengeFrames, ChallengeMeasurement } from "#judging/face/challenge/measurement";
import { defaultChallengePolicy } from "#judging/face/challenge/policy";
import { weighCues } from "#judging/face/liveness/cues/list";
import { writeFusion } from "#judging/face/liveness/fusion-file";
import { judgeLiveness } from "#judging/face/liveness/judge-liveness";
import { scoreAtFmr, similarityOf } from "#judging/face/matching/calibration";
import { normaliseTemplate, packCohort } from "#judging/face/matching/cohort";
import { compare } from "#judging/face/matching/comparison";
import type { ScoreScale } from "#judging/face/matching/score-scale";
import { joinComparisons } from "#judging/face/matching/several-references";
import { unpackPair, unpackTemplate } from "#judging/face/matching/template";
import type { Template } from "#judging/face/matching/template-kinds";
import type { FaceEngine, FaceMeasurement, MeasuredImage } from "#judging/face/measurement";
import { defaultFacePolicy, type FacePolicy } from "#judging/face/policy";
import type { Config } from "#machine/config/config";
import type { SelectedModel, SelectedModels } from "#machine/models/selected";
import { describeCohort, readOwnCohort } from "./cohort.ts";
import { openDocumentModels } from "./document-models.ts";
import { readDocumentPolicy } from "./document-policy.ts";
import { type Engine, openEngine, readEngineFiles } from "./engine.ts";
import { readFacePolicy } from "./face-policy.ts";
import { readAdded } from "./models.ts";
import { bundledRecogniser, findScale } from "./recogniser.ts";
import { candidateTools } from "./recogniser-evaluation.ts";

/** Seed of the random blends. Two cohorts of one population differ by it alone; any value would do. */
const cohortSeed = 5;

/** Card scores at which the location is reported: the thresholds of the product, and values around them. */
const gates = [0, 0.7, cardScore.usable, 0.9, cardScore.trusted, 1.1, 1.2];

const cohortTools = (falseMatchRate: number) => ({
  falseMatchRate,
  personsMin: cohortPersonsMin,
  crowdShareMin: defaultFacePolicy.comparison.crowdShareMin,
  blend: <Face extends CohortFace>(faces: readonly Face[]) =>
    blendCohort(faces, bundledRecogniser(), cohortSeed),
  fit: (faces: readonly CohortFace[]) => fitPoints(faces, bundledRecogniser(), cohortSeed),
  gain: cohortGain,
  pack: packCohort,
});

/** The recogniser to measure: the current one, the bundled pair, or a candidate in its place. */
export type MeasuredRecogniser = "in use" | "bundled" | SelectedModel;

const withRecogniser = (added: SelectedModels, recogniser: MeasuredRecogniser): SelectedModels => {
  if (recogniser === "in use") return added;
  const active = recogniser === "bundled" ? [] : [recogniser];
  return { ...added, "face-recogniser": { active, shadow: [] } };
};

/** Opens the engine with the first image, so that wrong arguments and lists fail before the networks load. */
const makeLazyEngine = (config: Config, recogniser: MeasuredRecogniser) => {
  let opening: Promise<Engine> | undefined;
  let models: MeasuredImage["models"] = {};
  let scale: ScoreScale | undefined;
  let cohort = "";
  const open = async (): Promise<Engine> => {
    const files = await readEngineFiles(config);
    const added = withRecogniser(files.added, recogniser);
    // `idem cohort build` measures the bundled pair: it makes the cohort file, which may not exist yet.
    const own = recogniser === "in use" ? await readOwnCohort(config) : undefined;
    scale = findScale(added, own);
    cohort = describeCohort(added, scale);
    if (own !== undefined && scale?.faces !== undefined) models = { "own-face-cohort": own.hash };
    const engine = openEngine(config, { ...files, added }, () => undefined);
    await engine.pool.ready;
    return engine;
  };
  const engine = (): Promise<Engine> => (opening ??= open());
  const measure: FaceEngine["measure"] = async (...args) => {
    const measured = await (await engine()).face.measure(...args);
    if (measured.kind === "measured") models = { ...models, ...measured.models };
    return measured;
  };
  return {
    engine,
    measure,
    /** Normalises with the scale in force. Call it after the first measurement, which reads the scale. */
    unpackTemplate: (bytes: Uint8Array) => {
      const template = unpackTemplate(bytes);
      return template && normaliseTemplate(scale, template);
    },
    compare: (a: Template, b: Template) => compare(a, b, scale),
    models: () => models,
    cohort: () => cohort,
    close: async () => await (await opening)?.pool.close(),
  };
};

/** Judges with the policy in force. The first image reads it. */
const livenessTools = (config: Config) => {
  let policy: Promise<FacePolicy> | undefined;
  const read = async () => await readFacePolicy(config, await readAdded(config));
  const inForce = async () => (await (policy ??= read())).liveness;
  return {
    judge: async (measurement: FaceMeasurement) => judgeLiveness(measurement, await inForce()),
    attackScoreMax: async () => (await inForce()).attackScoreMax,
    summarise: reportLiveness,
    judgeChallenge: async (measurement: ChallengeMeasurement, challenge: AnsweredChallenge) =>
      judgeChallenge(measurement, challenge, {
        challenge: defaultChallengePolicy,
        liveness: await inForce(),
      }),
    summariseCaptures: reportCaptures,
  };
};

const trainingTools = {
  weigh: weighCues,
  fit: fitLiveness,
  crossValidate: crossValidateLiveness,
  write: writeFusion,
  now: () => new Date(),
};

/**
 * Reads the document models and the policy before any image, so that their errors are not counted as errors
 * of an image. Throws Error with the reason.
 */
const documentAttackTools = async (config: Config, engine: () => Promise<Engine>) => {
  const mergeSources = makeMergeSources(await openDocumentModels(config));
  const policy = await readDocumentPolicy(config);
  return {
    concurrency: config.inference.workers,
    judge: async (bytes: Uint8Array) => {
      const reading = await (await engine()).document.read({ front: bytes }, { attacks: true });
      const now = new Date();
      return judgeReading({ reading, fields: mergeSources(reading, now) }, now, policy);
    },
    summarise: reportAttacks,
    training: {
      policy: defaultAttackPolicy,
      fit: fitDocumentAttacks,
      crossFit: crossFitDocumentAttacks,
      fuse: fuseCues,
      write: writeDocumentFusion,
      now: () => new Date(),
    },
  };
};

const documentTools = (config: Config, engine: () => Promise<Engine>) => ({
  documents: {
    read: async (bytes: Uint8Array) => (await (await engine()).pool.run("readMrz", { bytes })) ?? undefined,
    readPrinted: async (bytes: Uint8Array) =>
      (await (await engine()).pool.run("readSide", { bytes, task: printedLinesOnly })).lines.map(
        ({ text }) => text,
      ),
    summarise: summariseDocuments,
  },
  mrz: {
    measure: (vectors: readonly MrzVector[]) =>
      measureMrzVectors(vectors, new Date().toISOString().slice(0, 10)),
  },
  location: {
    locate: async (bytes: Uint8Array) =>
      (await (await engine()).pool.run("locateCard", { bytes })) ?? undefined,
    summarise: (measured: readonly LocatedImage[]) => summariseLocation(measured, gates),
  },
  documentAttacks: () => documentAttackTools(config, engine),
});

/** The dependencies of the commands that measure, train and build a cohort. `close` ends the engine. */
export const makeMeasuring = (config: Config, recogniser: MeasuredRecogniser = "in use") => {
  const lazy = makeLazyEngine(config, recogniser);
  const { engine, measure, models, cohort, close } = lazy;
  const threshold = scoreAtFmr(config.faces.falseMatchRates.selfie);
  const concurrency = config.inference.workers;
  return {
    faces: {
      measure,
      concurrency,
      unpackTemplate: lazy.unpackTemplate,
      compare: lazy.compare,
      joinComparisons,
      choosePairs,
      chooseCrossPairs,
      summarise: reportFaces,
      summariseGroups: reportGroups,
      isSameImageTwice,
      similarityOf,
      threshold,
      models,
      cohort,
      version,
      ...(typeof recogniser === "object" && candidateTools(recogniser.manifest)),
    },
    cohort: {
      measure,
      concurrency,
      unpackTemplate: unpackPair,
      ...cohortTools(config.faces.falseMatchRates.selfie),
    },
    liveness: {
      measure,
      measureChallenge: async (capture: ChallengeFrames) => (await engine()).measureChallenge(capture),
      concurrency,
      ...livenessTools(config),
    },
    age: {
      measure,
      concurrency,
      summarise: (cases: readonly AgeCase[]) =>
        reportAges({ cases, bands: ageBands, intervalOf: ageIntervalOf }),
    },
    training: { measure, concurrency, ...livenessTools(config), ...trainingTools },
    ...documentTools(config, engine),
    close,
  };
};

/** Sums stored calls into a comparison of the shadow models with the deciding models. */
export const makeShadowReports = () =>
  makeShadowReport({ live: livenessNumber.Live, attack: livenessNumber.NoLive });
