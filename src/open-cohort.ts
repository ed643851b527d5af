/** Composition of the cohort: the operator's own where the configuration names one, else the one that ships. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Config, ConfigError } from "./config.ts";
import { unpackCohort } from "./face/matching/cohort.ts";
import { cohortEntry } from "./inference/ledger.ts";
import { readModelFiles } from "./inference/model-files.ts";
import { bundledRecogniser } from "./open-recogniser.ts";

/** A cohort's file, checked, and its SHA-256 (hex), by which decisions name it. */
export type CohortFile = { readonly bytes: Uint8Array; readonly hash: string };

/** Fails with `ConfigError` where the operator's file cannot be read, is no cohort, or was made with another recogniser. */
export const readCohort = async ({ faces: { cohortFile } }: Config): Promise<CohortFile> => {
  if (cohortFile === undefined) {
    const [bytes] = await readModelFiles(cohortEntry);
    return { bytes: bytes!, hash: cohortEntry.files[0].sha256 };
  }
  const bytes = await readFile(cohortFile).catch(() => undefined);
  const wrong = bytes === undefined ? "cannot be read" : judge(bytes);
  if (bytes === undefined || wrong !== undefined) {
    throw new ConfigError([
      `IDEM_FACE_COHORT names ${cohortFile}, which ${wrong}. Make one with idem cohort build, or leave it out.`,
    ]);
  }
  return { bytes, hash: createHash("sha256").update(bytes).digest("hex") };
};

const judge = (bytes: Uint8Array): string | undefined => {
  try {
    const isOurs = unpackCohort(bytes).recogniser === bundledRecogniser();
    return isOurs ? undefined : "was made with another recogniser";
  } catch {
    return "is no cohort";
  }
};
