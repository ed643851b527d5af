/** Composition root of `idem measure`: the product's own engine and judges, without store, keys or server. */
import type { Config } from "./config.ts";
import { defaultAttackPolicy } from "./document/attacks/attack-policy.ts";
import { fuseSignals } from "./document/attacks/fusion.ts";
import { writeAttackFusion } from "./document/attacks/fusion-file.ts";
import { crossFitAttackFusion, fitAttackFusion } from "./document/attacks/fusion-fit.ts";
import { judgeReading } from "./document/attacks/judge-reading.ts";
import { reportAttacks } from "./document/attacks/report-attacks.ts";
import { makeCollectFields } from "./document/fields.ts";
import { cardScore } from "./document/locate/find-quad.ts";
import { type LocatedPicture, summariseLocation } from "./document/locate/measure-location.ts";
import { summariseDocuments } from "./document/measure.ts";
import { type MrzVector, measureMrzVectors } from "./document/mrz/measure-mrz.ts";
import { printAlone } from "./document/read-side.ts";
import { weighCues } from "./face/liveness/cues/list.ts";
import { writeFusion } from "./face/liveness/fusion-file.ts";
import { crossValidate, fitFusion } from "./face/liveness/fusion-fit.ts";
import { judgeLiveness } from "./face/liveness/judge-liveness.ts";
import { blendCohort, type CohortFace, cohortPersonsMin } from "./face/matching/blend-cohort.ts";
import { scoreAtFmr, similarityOf } from "./face/matching/calibration.ts";
import { asSeenBy, packCohort } from "./face/matching/cohort.ts";
import { compare } from "./face/matching/comparison.ts";
import { cohortGain, fitPoints } from "./face/matching/fit-points.ts";
import type { ScoreScale } from "./face/matching/score-scale.ts";
import { unpackPair, unpackTemplate } from "./face/matching/template.ts";
import type { Template } from "./face/matching/template-kinds.ts";
import type { FaceEngine, FaceMeasurement, MeasuredPicture } from "./face/measurement.ts";
import { chooseCrossPairs, choosePairs } from "./face/measuring/choose-pairs.ts";
import { reportFaces } from "./face/measuring/measure.ts";
import { isSamePictureTwice, reportGroups } from "./face/measuring/measure-groups.ts";
import { reportLiveness } from "./face/measuring/report-liveness.ts";
import { defaultFacePolicy, type FacePolicy } from "./face/policy.ts";
import { candidateTools } from "./measuring-recogniser.ts";
import type { SelectedModel, SelectedModels } from "./models/selected.ts";
import { describeCohort, readOwnCohort } from "./open-cohort.ts";
import { openDocumentModels } from "./open-document-models.ts";
import { readDocumentPolicy } from "./open-document-policy.ts";
import { type Engine, openEngine, readEngineFiles } from "./open-engine.ts";
import { readFacePolicy } from "./open-face-policy.ts";
import { readAdded } from "./open-models.ts";
import { bundledRecogniser, findScale } from "./open-recogniser.ts";
import { version } from "./version.ts";

/** Blends of one population differ by it alone; any would do. */
const cohortSeed = 5;

/** The scores that decide, and some between them. */
const gates = [0, 0.7, cardScore.usable, 0.9, cardScore.trusted, 1.1, 1.2];

const cohortTools = (falseMatchRate: number) => ({
  falseMatchRate,
  personsMin: cohortPersonsMin,
  crowdShareMin: defaultFacePolicy.comparison.crowdShareMin,
  blend: <Face extends CohortFace>(people: readonly Face[]) =>
    blendCohort(people, bundledRecogniser(), cohortSeed),
  fit: (people: readonly CohortFace[]) => fitPoints(people, bundledRecogniser(), cohortSeed),
  gain: cohortGain,
  pack: packCohort,
});

/** Which recogniser is measured: the one in use, the bundled pair, or another in its place. */
export type MeasuredRecogniser = "in use" | "bundled" | SelectedModel;

const withRecogniser = (added: SelectedModels, recogniser: MeasuredRecogniser): SelectedModels => {
  if (recogniser === "in use") return added;
  const active = recogniser === "bundled" ? [] : [recogniser];
  return { ...added, "face-recogniser": { active, shadow: [] } };
};

/** Opens the engine with the first picture, so that wrong words and wrong lists are told at once. */
const makeOpening = (config: Config, recogniser: MeasuredRecogniser) => {
  let opening: Promise<Engine> | undefined;
  let models: MeasuredPicture["models"] = {};
  let scale: ScoreScale | undefined;
  let cohort = "";
  const open = async (): Promise<Engine> => {
    const files = await readEngineFiles(config);
    const added = withRecogniser(files.added, recogniser);
    // A cohort that is being built is not there yet.
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
    /** Once a picture was measured, as the next. */
    unpackTemplate: (bytes: Uint8Array) => {
      const template = unpackTemplate(bytes);
      return template && asSeenBy(scale, template);
    },
    compare: (a: Template, b: Template) => compare(a, b, scale),
    models: () => models,
    cohort: () => cohort,
    close: async () => await (await opening)?.pool.close(),
  };
};

/** Judges with the policy in force, which is read with the first picture. */
const livenessTools = (config: Config) => {
  let policy: Promise<FacePolicy> | undefined;
  const read = async () => await readFacePolicy(config, await readAdded(config));
  const inForce = async () => (await (policy ??= read())).liveness;
  return {
    judge: async (measurement: FaceMeasurement) => judgeLiveness(measurement, await inForce()),
    attackScoreMax: async () => (await inForce()).attackScoreMax,
    summarise: reportLiveness,
  };
};

const trainingTools = {
  weigh: weighCues,
  fit: fitFusion,
  crossValidate,
  write: writeFusion,
  now: () => new Date(),
};

/** Reads models and policy of documents first: what is wrong with them is no picture's fault. Throws Error with the reason. */
const documentAttackTools = async (config: Config, engine: () => Promise<Engine>) => {
  const collectFields = makeCollectFields(openDocumentModels(config));
  const policy = await readDocumentPolicy(config);
  return {
    concurrency: config.inference.workers,
    judge: async (bytes: Uint8Array) => {
      const reading = await (await engine()).document.read({ front: bytes }, { attacks: true });
      const now = new Date();
      return judgeReading({ reading, fields: collectFields(reading, now) }, now, policy);
    },
    summarise: reportAttacks,
    training: {
      policy: defaultAttackPolicy,
      fit: fitAttackFusion,
      crossFit: crossFitAttackFusion,
      fuse: fuseSignals,
      write: writeAttackFusion,
      now: () => new Date(),
    },
  };
};

const documentTools = (config: Config, engine: () => Promise<Engine>) => ({
  documents: {
    read: async (bytes: Uint8Array) => (await (await engine()).pool.run("readMrz", { bytes })) ?? undefined,
    readPrinted: async (bytes: Uint8Array) =>
      (await (await engine()).pool.run("readSide", { bytes, task: printAlone })).lines.map(
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
    summarise: (measured: readonly LocatedPicture[]) => summariseLocation(measured, gates),
  },
  documentAttacks: () => documentAttackTools(config, engine),
});

/** What the measuring commands take, and how to let the engine go. */
export const makeMeasuring = (config: Config, recogniser: MeasuredRecogniser = "in use") => {
  const opening = makeOpening(config, recogniser);
  const { engine, measure, models, cohort, close } = opening;
  const threshold = scoreAtFmr(config.faces.falseMatchRates.selfie);
  const concurrency = config.inference.workers;
  return {
    faces: {
      measure,
      concurrency,
      unpackTemplate: opening.unpackTemplate,
      compare: opening.compare,
      choosePairs,
      chooseCrossPairs,
      summarise: reportFaces,
      summariseGroups: reportGroups,
      isSamePictureTwice,
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
    liveness: { measure, concurrency, ...livenessTools(config) },
    training: { measure, concurrency, ...livenessTools(config), ...trainingTools },
    ...documentTools(config, engine),
    close,
  };
};
