/** Composition root of `idem measure`: the product's own engine and judges, without store, keys or server. */
import type { Config } from "./config.ts";
import { summariseDocuments } from "./document/measure.ts";
import { compare } from "./face/comparison.ts";
import { judgeLiveness } from "./face/judge-liveness.ts";
import { choosePairs, reportFaces, reportLiveness } from "./face/measure.ts";
import { isSamePictureTwice, reportGroups } from "./face/measure-groups.ts";
import type { FaceMeasurement } from "./face/measurement.ts";
import { defaultFacePolicy } from "./face/policy.ts";
import { unpackTemplate } from "./face/template.ts";
import { ledger } from "./inference/ledger.ts";
import { readNetworks } from "./inference/network-files.ts";
import { openEngine } from "./open-engine.ts";

/** What the three measuring commands take, and how to let the engine go. */
export const openMeasuring = async (config: Config) => {
  const { pool, face } = openEngine(config, await readNetworks(ledger), () => undefined);
  await pool.ready;
  const concurrency = config.inference.workers;
  const { measure } = face;
  return {
    faces: {
      measure,
      concurrency,
      unpackTemplate,
      compare,
      choosePairs,
      summarise: reportFaces,
      summariseGroups: reportGroups,
      isSamePictureTwice,
      threshold: defaultFacePolicy.comparison.positiveScore,
    },
    liveness: {
      measure,
      concurrency,
      judge: (measurement: FaceMeasurement) => judgeLiveness(measurement, defaultFacePolicy.liveness),
      summarise: reportLiveness,
    },
    documents: {
      read: async (bytes: Uint8Array) => (await pool.run("readMrz", { bytes })) ?? undefined,
      summarise: summariseDocuments,
    },
    close: pool.close,
  };
};
