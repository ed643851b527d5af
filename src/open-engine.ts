/** Composition root of the engine: the threads that see, and what the rooms ask of them. */
import type { Config } from "./config.ts";
import type { DocumentEngine } from "./document/engine.ts";
import type { FaceEngine } from "./face/measurement.ts";
import type { RecogniserModels } from "./face/template.ts";
import { ledger } from "./inference/ledger.ts";
import { modelHashes } from "./inference/model-files.ts";
import type { NetworkFiles } from "./inference/network-files.ts";
import { makePool, type Pool } from "./inference/pool.ts";
import type { CohortFile } from "./open-cohort.ts";
import type { WorkerTasks } from "./worker.ts";

export type Engine = {
  readonly pool: Pool<WorkerTasks>;
  readonly face: FaceEngine;
  readonly document: DocumentEngine;
  /** Hashes of the two networks that make templates. */
  readonly recogniserModels: RecogniserModels;
};

/** A read of two large pictures takes seconds; what runs a minute hangs. A call's own time limit is its signal's. */
const analysisMsMax = 60_000;

/** The networks that have a part in reading a document. */
const documentNetworks: readonly string[] = ["text-detector", "mrz-line", "blazeface", "facemesh"];

const option = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

/** Starts the inference threads; `pool.ready` resolves when every network has run in each. */
export const openEngine = (
  config: Config,
  networks: NetworkFiles,
  cohort: CohortFile,
  onDeath: (cause: unknown) => void,
): Engine => {
  const pool = makePool<WorkerTasks>({
    worker: new URL("./worker.ts", import.meta.url),
    workers: config.inference.workers,
    queueMax: config.inference.queueMax,
    taskMsMax: analysisMsMax,
    heapMbMax: 512,
    workerData: {
      imageBytesMax: config.images.bytesMax,
      imagePixelsMax: config.images.pixelsMax,
      networks,
      cohort,
    },
    onDeath,
  });
  const hashes = modelHashes(ledger);
  return {
    pool,
    recogniserModels: { dlib: hashes["dlib-resnet"], faceres: hashes.faceres },
    face: {
      measure: (bytes, wanted, signal) => pool.run("measureFace", { bytes, wanted }, option(signal)),
    },
    document: {
      inspect: (bytes, signal) => pool.run("inspectImage", { bytes }, option(signal)),
      read: (pictures, hints, signal) => pool.run("readDocument", { pictures, hints }, option(signal)),
      models: Object.fromEntries(Object.entries(hashes).filter(([name]) => documentNetworks.includes(name))),
    },
  };
};
