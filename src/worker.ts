/** Composition root of an inference thread: makes imaging, networks and engines, and names the tasks of the pool. */
import { workerData } from "node:worker_threads";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import {
  addedCornersOf,
  addedDetectorOf,
  addedFilesOf,
  addedLivenessOf,
  addedRecogniserOf,
  addedTextDetectorOf,
  addedTextRecogniserOf,
} from "./added-networks.ts";
import { loadZxing } from "./document/barcode/zxing.ts";
import { makeReadCardMaps } from "./document/locate/card-maps.ts";
import { makeFindQuad } from "./document/locate/find-quad.ts";
import { makeLocateCard } from "./document/locate/locate-card.ts";
import { makeReadCorners } from "./document/locate/read-corners.ts";
import { makeReadMrz } from "./document/mrz/read-mrz.ts";
import { makeReadSide, type SideTask } from "./document/read-side.ts";
import { makeCutPart } from "./document/signature.ts";
import { makeDetectText } from "./document/text/detect-text.ts";
import { makeTextReader } from "./document/text/read-text.ts";
import { makeRecogniseColour } from "./document/text/recognise-added.ts";
import { makeRecogniseLines } from "./document/text/recognise-lines.ts";
import { descriptorOf, unpackEyewearProbe } from "./face/attributes/eyewear-probe.ts";
import { makeListFaces } from "./face/engine/list-faces.ts";
import { makeMeasureFace } from "./face/engine/measure-face.ts";
import { unpackCohort } from "./face/matching/cohort.ts";
import type { Wanted } from "./face/measurement.ts";
import type { Box } from "./imaging/image.ts";
import { makeImaging } from "./imaging/imaging.ts";
import { makeInspectImage } from "./imaging/inspect-image.ts";
import { defaultImagingLimits } from "./imaging/limits.ts";
import { eyewearEntry, ledger } from "./inference/ledger.ts";
import { modelHashes } from "./inference/model-files.ts";
import { networkFilesOf } from "./inference/network-files.ts";
import { openNetworks } from "./inference/networks.ts";
import { serveTasks } from "./inference/serve-tasks.ts";
import { stepBack } from "./inference/thread-priority.ts";
import { selectedModelsOf } from "./models/selected.ts";

const workerOptions = Compile(
  Type.Object({
    imageBytesMax: Type.Integer({ minimum: 1 }),
    imagePixelsMax: Type.Integer({ minimum: 1 }),
    networks: Type.Unknown(),
    added: Type.Unknown(),
    eyewear: Type.Unsafe<Uint8Array>(Type.Unknown()),
    cohort: Type.Object({ bytes: Type.Unsafe<Uint8Array>(Type.Unknown()), hash: Type.String() }),
  }),
);

const options = workerOptions.Parse(workerData);
const { imageBytesMax, imagePixelsMax } = options;
const files = networkFilesOf(options.networks);
const imaging = makeImaging({
  limits: { ...defaultImagingLimits, bytesMax: imageBytesMax, pixelsMax: imagePixelsMax },
});
const selected = selectedModelsOf(options.added);
const { networks, added, takeTimings, warmUp } = openNetworks(
  ledger,
  async (name) => files[name].slice(),
  addedFilesOf(selected),
);
const cohort = { ...unpackCohort(options.cohort.bytes), hash: options.cohort.hash };
const eyewear = {
  ...unpackEyewearProbe(options.eyewear, descriptorOf(modelHashes(ledger))),
  hash: eyewearEntry.files[0].sha256,
};
const liveness = addedLivenessOf(selected, added);
const detector = addedDetectorOf(selected, added);
const recogniser = addedRecogniserOf(selected, added);
const measureFace = makeMeasureFace({ imaging, networks, cohort, liveness, detector, recogniser, eyewear });
const textDetector = addedTextDetectorOf(selected, added);
const readMrz = makeReadMrz({ imaging, networks, textDetector });
const textRecogniser = addedTextRecogniserOf(selected, added);
const text = makeTextReader({
  imaging,
  detect: makeDetectText(imaging, networks["text-detector"], textDetector),
  recognise: makeRecogniseLines(networks["text-line"]),
  recogniseColour: textRecogniser && makeRecogniseColour(textRecogniser),
});
const corners = addedCornersOf(selected, added);
const findQuad = makeFindQuad(
  imaging,
  makeReadCardMaps(imaging, networks["card-finder"]),
  corners && makeReadCorners(imaging, corners),
);
const locateCard = makeLocateCard(imaging, findQuad);
const readSide = makeReadSide({
  imaging,
  findQuad,
  readMrz,
  findFaces: makeListFaces({ imaging, networks, detector }),
  readSymbols: await loadZxing(),
  text,
});
const cutPart = makeCutPart(imaging);

const tasks = {
  inspectImage: makeInspectImage(imaging),
  measureFace: ({ bytes, wanted }: { readonly bytes: Uint8Array; readonly wanted: Wanted }) =>
    measureFace(bytes, wanted),
  readSide: ({ bytes, task }: { readonly bytes: Uint8Array; readonly task: SideTask }) =>
    readSide(bytes, task),
  cutPart: ({ side, box }: { readonly side: Uint8Array; readonly box: Box }) => cutPart(side, box),
  locateCard: ({ bytes }: { readonly bytes: Uint8Array }) => locateCard(bytes),
  readMrz: async ({ bytes }: { readonly bytes: Uint8Array }) =>
    (await readMrz(await imaging.open(bytes, { longSideMax: 2000 }))) ?? null,
};

/** What `pool.run` takes and gives, by name of the task. */
export type WorkerTasks = typeof tasks;

/** The pool waits for this promise before it counts the thread as ready. */
export const runTask = warmUp().then(() => {
  stepBack();
  return serveTasks(tasks, takeTimings);
});
