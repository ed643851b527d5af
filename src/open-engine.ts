/** Composition root of the engine: the threads that see, and what the rooms ask of them. */
import type { Config } from "./config.ts";
import type { DocumentEngine } from "./document/engine.ts";
import { makeReadDocument } from "./document/read-document.ts";
import { makeShadowTally, type ShadowReadings } from "./face/engine/shadow-tally.ts";
import type { FaceEngine } from "./face/measurement.ts";
import { eyewearEntry, ledger } from "./inference/ledger.ts";
import type { ModelName } from "./inference/model.ts";
import { modelHashes, readModelFiles } from "./inference/model-files.ts";
import { type NetworkFiles, readNetworks } from "./inference/network-files.ts";
import { makePool, type Pool } from "./inference/pool.ts";
import type { SelectedModels } from "./models/selected.ts";
import { type CohortFile, readShippedCohort } from "./open-cohort.ts";
import { type AddedModel, listAdded, readAdded } from "./open-models.ts";
import { recogniserInUse } from "./open-recogniser.ts";
import type { WorkerTasks } from "./worker.ts";

export type Engine = {
  readonly pool: Pool<WorkerTasks>;
  readonly face: FaceEngine;
  readonly document: DocumentEngine;
  /** Names what makes templates, as they do. */
  readonly recogniser: string;
  /** How far models that look on were from those that decide, since the start. */
  readonly shadow: () => ShadowReadings;
};

/** What the threads are made of, read and checked once, in memory that they share. */
export type EngineFiles = {
  readonly networks: NetworkFiles;
  /** The one that ships: an own one is asked where faces are compared. */
  readonly cohort: CohortFile;
  /** Weights of the probe that tells eyewear. */
  readonly eyewear: Uint8Array;
  readonly added: SelectedModels;
};

/** Reads them all. Throws Error, with the reason, for a file that is missing or not the one that it should be. */
export const readEngineFiles = async (config: Config): Promise<EngineFiles> => ({
  networks: await readNetworks(ledger),
  cohort: await readShippedCohort(),
  eyewear: (await readModelFiles(eyewearEntry))[0]!,
  added: await readAdded(config),
});

/** A read of two large pictures takes seconds; what runs a minute hangs. A call's own time limit is its signal's. */
const analysisMsMax = 60_000;

/** Those that work beside the bundled network of their slot. */
const isBeside = ({ slot, role }: AddedModel): boolean =>
  role === "active" && (slot === "text-recogniser" || slot === "document-corners");

/**
 * The networks that have a part in reading a document, by name: added ones take the bundled ones' places. The bundled line
 * network stays beside an added text recogniser, because it tells the turn, and the bundled card finder beside added corners.
 */
const documentModels = (
  hashes: Readonly<Record<ModelName, string>>,
  added: readonly AddedModel[],
): Readonly<Record<string, string>> => {
  const inSlot = (slot: string, bundled: ModelName): readonly [name: string, hash: string] => {
    const model = added.find((one) => one.slot === slot && one.role === "active");
    return model === undefined ? [bundled, hashes[bundled]] : [model.name, model.sha256];
  };
  const { "mrz-line": zone, "text-line": text, "card-finder": cards, facemesh } = hashes;
  const detectors = [inSlot("text-detector", "text-detector"), inSlot("face-detector", "blazeface")];
  return {
    ...Object.fromEntries(detectors),
    "card-finder": cards,
    "mrz-line": zone,
    "text-line": text,
    ...Object.fromEntries(added.filter(isBeside).map(({ name, sha256 }) => [name, sha256])),
    facemesh,
  };
};

const option = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

/** Starts the inference threads; `pool.ready` resolves when every network has run in each. */
export const openEngine = (config: Config, files: EngineFiles, onDeath: (cause: unknown) => void): Engine => {
  const pool = makePool<WorkerTasks>({
    worker: new URL("./worker.ts", import.meta.url),
    workers: config.inference.workers,
    queueMax: config.inference.queueMax,
    taskMsMax: analysisMsMax,
    heapMbMax: 512,
    workerData: {
      imageBytesMax: config.images.bytesMax,
      imagePixelsMax: config.images.pixelsMax,
      ...files,
    },
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
    document: {
      inspect: (bytes, signal) => pool.run("inspectImage", { bytes }, option(signal)),
      read: (pictures, hints, signal) =>
        makeReadDocument((bytes, task) => pool.run("readSide", { bytes, task }, option(signal)))(
          pictures,
          hints,
        ),
      cutPart: (side, box, signal) => pool.run("cutPart", { side, box }, option(signal)),
      models: documentModels(hashes, added),
    },
  };
};
