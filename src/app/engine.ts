/** Composition root of the engine: the inference threads, and the ports of the modules that use them. */

import { type CollectFields, fieldSourcesOf } from "#judging/document/decision/fields";
import type { DocumentModels } from "#judging/document/decision/models/catalogue";
import type { DocumentEngine } from "#judging/document/reading/engine";
import { makeReadDocument } from "#judging/document/reading/read-document";
import type { MeasureChallenge } from "#judging/face/challenge/measurement";
import type { BlendFrames } from "#judging/face/engine/blend-frames";
import { makeShadowTally, type ShadowReadings } from "#judging/face/engine/shadow-tally";
import type { FaceEngine } from "#judging/face/measurement";
import type { Config } from "#machine/config/config";
import type { SelectedModels } from "#machine/models/selected";
import { keptNetworks } from "#machine/networks/kept-networks";
import { eyewearEntry, ledger } from "#machine/networks/ledger";
import type { ModelName } from "#machine/networks/model";
import { modelHashes, readModelFiles } from "#machine/networks/model-files";
import { type NetworkFiles, readNetworks } from "#machine/networks/network-files";
import { refuseTelemetry } from "#machine/networks/telemetry";
import { makePool, type Pool } from "#machine/threads/pool";
import { type CohortFile, readShippedCohort } from "./cohort.ts";
import { type AddedModel, listAdded, readAdded } from "./models.ts";
import { recogniserInUse } from "./recogniser.ts";
import type { InferenceData, WorkerTasks } from "./threads/inference.ts";

/** The inference threads and their ports. Made by {@link openEngine}. */
export type Engine = {
  readonly pool: Pool<WorkerTasks>;
  readonly face: FaceEngine;
  /** Measures the capture of a challenge. */
  readonly measureChallenge: MeasureChallenge;
  /** Makes one template of the frames of a capture. */
  readonly blendFrames: BlendFrames;
  readonly document: DocumentEngine;
  /**
   * An image as it is kept or handed out: its pixels, without metadata. Never refused with engine_busy: it is
   * a step of a call that was admitted. Fails as an image that cannot be read.
   */
  readonly keepPixels: (bytes: Uint8Array) => Promise<Uint8Array>;
  readonly collectFields: CollectFields;
  /** The name of the recogniser that makes templates, as templates carry it. */
  readonly recogniser: string;
  /** Differences between shadow models and deciding models, since the start. */
  readonly shadow: () => ShadowReadings;
};

/** The files of the threads, read and checked once, in shared memory. Made by {@link readEngineFiles}. */
export type EngineFiles = {
  readonly networks: NetworkFiles;
  /** The shipped cohort. An own cohort is used where faces are compared, not here. */
  readonly cohort: CohortFile;
  /** Weights of the probe that detects eyewear. */
  readonly eyewear: Uint8Array;
  readonly added: SelectedModels;
};

/** Reads all files. Throws Error with the reason for a file that is missing or altered. */
export const readEngineFiles = async (config: Config): Promise<EngineFiles> => ({
  networks: await readNetworks(ledger, keptNetworks),
  cohort: await readShippedCohort(),
  eyewear: (await readModelFiles(eyewearEntry))[0]!,
  added: await readAdded(config),
});

/**
 * Reading two large images takes seconds; a task of one minute hangs. The time limit of a call is in its
 * signal.
 */
const analysisMsMax = 60_000;

/** Whether the added model works beside the bundled network of its slot. */
const isBeside = ({ slot, role }: AddedModel): boolean =>
  role === "active" && (slot === "text-recogniser" || slot === "document-corners");

/**
 * SHA-256 of the networks that read a document, by name. An added network replaces the bundled one, with two
 * exceptions: the bundled line network stays beside an added text recogniser, because it finds the rotation,
 * and the bundled card finder stays beside an added corner network.
 */
const documentModels = (
  hashes: Readonly<Record<ModelName, string>>,
  added: readonly AddedModel[],
): Readonly<Record<string, string>> => {
  const inSlot = (slot: string, bundled: ModelName): readonly [name: string, hash: string] => {
    const model = added.find((one) => one.slot === slot && one.role === "active");
    return model === undefined ? [bundled, hashes[bundled]] : [model.name, model.sha256];
  };
  const { "mrz-line": mrz, "text-line": text, "card-finder": cards, facemesh } = hashes;
  const detectors = [inSlot("text-detector", "text-detector"), inSlot("face-detector", "blazeface")];
  return {
    ...Object.fromEntries(detectors),
    "card-finder": cards,
    "mrz-line": mrz,
    "text-line": text,
    ...Object.fromEntries(added.filter(isBeside).map(({ name, sha256 }) => [name, sha256])),
    facemesh,
  };
};

const option = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

/** Commands that collect no fields need no document models. */
const noDocumentModels: DocumentModels = { national: [], generic: [] };

/** The document tasks of the pool as the ports of the document module. */
const documentPorts = (
  pool: Pool<WorkerTasks>,
  models: DocumentEngine["models"],
): Pick<Engine, "document" | "collectFields"> => ({
  document: {
    inspect: (bytes, signal) => pool.run("inspectImage", { bytes }, option(signal)),
    read: (images, hints, signal) =>
      makeReadDocument((bytes, task) => pool.run("readSide", { bytes, task }, option(signal)))(images, hints),
    cutPart: (side, box, signal) => pool.run("cutPart", { side, box }, option(signal)),
    models,
  },
  collectFields: (sources, now, signal) =>
    pool.run(
      "collectFields",
      { sources: fieldSourcesOf(sources), now },
      { ...option(signal), continues: true },
    ),
});

/** Starts the inference threads; `pool.ready` resolves when every network has run in each. */
export const openEngine = (
  config: Config,
  files: EngineFiles,
  onDeath: (cause: unknown) => void,
  { national, generic }: DocumentModels = noDocumentModels,
): Engine => {
  refuseTelemetry();
  const pool = makePool<WorkerTasks>({
    worker: new URL("./threads/inference.ts", import.meta.url),
    workers: config.inference.workers,
    queueMax: config.inference.queueMax,
    taskMsMax: analysisMsMax,
    heapMbMax: 512,
    workerData: {
      imageBytesMax: config.images.bytesMax,
      imagePixelsMax: config.images.pixelsMax,
      documentModels: { national, generic },
      ...files,
    } satisfies InferenceData,
    onDeath,
  });
  const hashes = modelHashes(ledger);
  const tally = makeShadowTally();
  const added = listAdded(files.added);
  return {
    pool,
    shadow: tally.readings,
    recogniser: recogniserInUse(files.added),
    face: {
      measure: async (bytes, wanted, signal) => {
        const measured = await pool.run("measureFace", { bytes, wanted }, option(signal));
        tally.add(measured);
        return measured;
      },
    },
    measureChallenge: (capture, signal) => pool.run("measureChallenge", { capture }, option(signal)),
    blendFrames: (frames, comparison, signal) =>
      pool.run("blendFrames", { frames, comparison }, option(signal)),
    keepPixels: (bytes) => pool.run("keepPixels", { bytes }, { continues: true }),
    ...documentPorts(pool, documentModels(hashes, added)),
  };
};
