/**
 * Composition root of an inference thread: makes imaging, networks and engines, and names the tasks of the
 * pool.
 */
import { workerData } from "node:worker_threads";
import { type FieldSources, makeMergeSources } from "#judging/document/decision/fields";
import type { DocumentModels } from "#judging/document/decision/models/catalogue";
import { makeCutPart } from "#judging/document/decision/signature";
import { makeFindMissingValues } from "#judging/document/decision/viz/missing-values";
import { loadZxing } from "#judging/document/reading/barcode/zxing";
import { greyOnce } from "#judging/document/reading/grey-once";
import { makeReadCardMaps } from "#judging/document/reading/locate/card-maps";
import { makeFindQuad } from "#judging/document/reading/locate/find-quad";
import { makeLocateCard } from "#judging/document/reading/locate/locate-card";
import { makeReadCorners } from "#judging/document/reading/locate/read-corners";
import { makeReadMrz } from "#judging/document/reading/mrz/read-mrz";
import { makeDetectText } from "#judging/document/reading/ocr/detect-text";
import { makeTextReader } from "#judging/document/reading/ocr/read-text";
import { makeRecogniseColour } from "#judging/document/reading/ocr/recognise-added";
import { makeRecogniseLines } from "#judging/document/reading/ocr/recognise-lines";
import { makeReadSide } from "#judging/document/reading/read-side";
import type { SideTask } from "#judging/document/reading/side-task";
import { descriptorOf, unpackEyewearProbe } from "#judging/face/attributes/eyewear-probe";
import type { ChallengeFrames } from "#judging/face/challenge/measurement";
import { defaultBlendPolicy, makeBlendFrames } from "#judging/face/engine/blend-frames";
import { makeLikeness } from "#judging/face/engine/likeness";
import { makeListFaces } from "#judging/face/engine/list-faces";
import { makeMeasureFace } from "#judging/face/engine/measure-face";
import { frameLimits, openChallengeEngine } from "#judging/face/engine/open-challenge-engine";
import { unpackCohort } from "#judging/face/matching/cohort";
import type { Wanted } from "#judging/face/measurement";
import type { ComparisonPolicy } from "#judging/face/policy";
import type { Box } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { makeInspectImage } from "#machine/imaging/inspect-image";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { makeKeepPixels } from "#machine/imaging/strip/keep-pixels";
import { makeTaskMemory } from "#machine/imaging/task-memory";
import type { SelectedModels } from "#machine/models/selected";
import { eyewearEntry, ledger } from "#machine/networks/ledger";
import { modelHashes } from "#machine/networks/model-files";
import type { NetworkFiles } from "#machine/networks/network-files";
import { openNetworks } from "#machine/networks/networks";
import { stepBack } from "#machine/threads/priority";
import { serveTasks } from "#machine/threads/serve-tasks";
import { runUnbroken } from "#machine/threads/unbroken";
import type { DrawPersona, PersonaDrawing } from "#sandbox/specimen/persona-images";
import {
  addedCornersOf,
  addedDetectorOf,
  addedFilesOf,
  addedLivenessOf,
  addedRecogniserOf,
  addedTextDetectorOf,
  addedTextRecogniserOf,
} from "./added-networks.ts";

/** The `workerData` of the thread. The main thread of the same process makes it, so it is not checked. */
export type InferenceData = {
  readonly imageBytesMax: number;
  readonly imagePixelsMax: number;
  readonly networks: NetworkFiles;
  readonly added: SelectedModels;
  readonly eyewear: Uint8Array;
  readonly documentModels: DocumentModels;
  readonly cohort: { readonly bytes: Uint8Array; readonly hash: string };
};

/** A reading of a drawn passport of 2 megapixels takes 30 MiB of it, one of 12 megapixels all. */
const pixelBytes = 64 * 1024 ** 2;

const options: InferenceData = workerData;
const { imageBytesMax, imagePixelsMax, networks: files, added: selected } = options;
const limits = { ...defaultImagingLimits, bytesMax: imageBytesMax, pixelsMax: imagePixelsMax };
const { memory, freeing } = makeTaskMemory(pixelBytes);
const imaging = makeImaging({ limits, memory });
const { networks, added, takeTimings, warmUp } = openNetworks(
  ledger,
  async (name) => files[name].slice(),
  addedFilesOf(selected),
  { runWhole: runUnbroken, takeFloats: memory.takeFloats },
);
const cohort = { ...unpackCohort(options.cohort.bytes), hash: options.cohort.hash };
const eyewear = {
  ...unpackEyewearProbe(options.eyewear, descriptorOf(modelHashes(ledger))),
  hash: eyewearEntry.files[0].sha256,
};
const liveness = addedLivenessOf(selected, added);
const detector = addedDetectorOf(selected, added);
const recogniser = addedRecogniserOf(selected, added);
const faceDeps = { imaging, networks, cohort, liveness, detector, recogniser, eyewear };
const measureFace = makeMeasureFace(faceDeps);
const frameImaging = makeImaging({ limits: { ...limits, ...frameLimits }, memory });
const measureChallenge = openChallengeEngine({ ...faceDeps, measureFace, frameImaging });
const blendFrames = makeBlendFrames({ measureFace, cohort, policy: defaultBlendPolicy });
const textDetector = addedTextDetectorOf(selected, added);
const readMrz = makeReadMrz({ imaging, networks, textDetector });
const textRecogniser = addedTextRecogniserOf(selected, added);
const sideImaging = { ...imaging, toGrey: greyOnce(imaging.toGrey) };
const text = makeTextReader({
  imaging: sideImaging,
  detect: makeDetectText(imaging, networks["text-detector"], textDetector),
  recognise: makeRecogniseLines(networks["text-line"]),
  recogniseColour: textRecogniser && makeRecogniseColour(textRecogniser),
  findMissingValues: makeFindMissingValues(options.documentModels),
});
const corners = addedCornersOf(selected, added);
const findQuad = makeFindQuad(
  imaging,
  makeReadCardMaps(imaging, networks["card-finder"]),
  corners && makeReadCorners(imaging, corners),
);
const locateCard = makeLocateCard(imaging, findQuad);
const readSide = makeReadSide({
  imaging: sideImaging,
  findQuad,
  readMrz,
  findFaces: makeListFaces({ imaging, networks, detector }),
  measureLikeness: makeLikeness({ imaging, networks, detector }),
  decodeBarcodes: await loadZxing(),
  text,
});
const cutPart = makeCutPart(imaging);
/**
 * Loaded with the first persona: its letters and their shapes take half a second of processor time. It keeps
 * images for the next one, so its imaging frees none.
 */
let personas: Promise<DrawPersona> | undefined;
const drawPersona: DrawPersona = async (drawing) => {
  personas ??= import("#sandbox/specimen/persona-images").then(({ makeDrawPersona }) =>
    makeDrawPersona(makeImaging({ limits })),
  );
  return await (await personas)(drawing);
};
const mergeSources = makeMergeSources(options.documentModels);

const tasks = {
  inspectImage: freeing(makeInspectImage(imaging)),
  keepPixels: freeing(makeKeepPixels(imaging)),
  measureFace: freeing(({ bytes, wanted }: { readonly bytes: Uint8Array; readonly wanted: Wanted }) =>
    measureFace(bytes, wanted),
  ),
  measureChallenge: freeing(({ capture }: { readonly capture: ChallengeFrames }) =>
    measureChallenge(capture),
  ),
  blendFrames: freeing(
    ({
      frames,
      comparison,
    }: {
      readonly frames: readonly Uint8Array[];
      readonly comparison: ComparisonPolicy;
    }) => blendFrames(frames, comparison),
  ),
  readSide: freeing(({ bytes, task }: { readonly bytes: Uint8Array; readonly task: SideTask }) =>
    readSide(bytes, task),
  ),
  cutPart: freeing(({ side, box }: { readonly side: Uint8Array; readonly box: Box }) => cutPart(side, box)),
  collectFields: async ({ sources, now }: { readonly sources: FieldSources; readonly now: Date }) =>
    mergeSources(sources, now),
  drawPersona: ({ drawing }: { readonly drawing: PersonaDrawing }) => drawPersona(drawing),
  locateCard: freeing(({ bytes }: { readonly bytes: Uint8Array }) => locateCard(bytes)),
  readMrz: freeing(
    async ({ bytes }: { readonly bytes: Uint8Array }) =>
      (await readMrz(await imaging.open(bytes, { longSideMax: 2000 }))) ?? null,
  ),
};

/** Inputs and results of `pool.run`, by the name of the task. */
export type WorkerTasks = typeof tasks;

/** The pool waits for this promise before it counts the thread as ready. */
export const runTask = freeing(warmUp)(undefined).then(() => {
  stepBack();
  return serveTasks(tasks, takeTimings);
});
