/** Composition of the cohorts: the one that ships, and the operator's own where the configuration names one. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Config, ConfigError } from "./config.ts";
import { type Cohort, type NamedCohort, unpackCohort } from "./face/matching/cohort.ts";
import type { ScoreScale } from "./face/matching/score-scale.ts";
import { cohortEntry } from "./inference/ledger.ts";
import { readModelFiles } from "./inference/model-files.ts";
import type { SelectedModels } from "./models/selected.ts";
import { bundledRecogniser } from "./open-recogniser.ts";

/** The cohort that ships: its file, checked, and its SHA-256 (hex), by which decisions name it. */
export type CohortFile = { readonly bytes: Uint8Array; readonly hash: string };

/** By it templates say how common a face looks. Throws Error, with the reason, for a file that is not the one that it should be. */
export const readShippedCohort = async (): Promise<CohortFile> => {
  const [bytes] = await readModelFiles(cohortEntry);
  return { bytes: bytes!, hash: cohortEntry.files[0].sha256 };
};

/** Fails with `ConfigError` where the operator's file cannot be read, is no cohort, or was made with another recogniser. */
export const readOwnCohort = async ({
  faces: { cohortFile },
}: Pick<Config, "faces">): Promise<NamedCohort | undefined> => {
  if (cohortFile === undefined) return undefined;
  const bytes = await readFile(cohortFile).catch(() => undefined);
  const refuse = (reason: string): never => {
    throw new ConfigError([
      `IDEM_FACE_COHORT names ${cohortFile}, which ${reason}. Make one with idem cohort build, or leave it out.`,
    ]);
  };
  if (bytes === undefined) return refuse("cannot be read");
  const cohort = read(bytes);
  if (typeof cohort === "string") return refuse(cohort);
  return { ...cohort, hash: createHash("sha256").update(bytes).digest("hex") };
};

/** Or what is wrong, in words. */
const read = (bytes: Uint8Array): Cohort | string => {
  try {
    const cohort = unpackCohort(bytes);
    return cohort.recogniser === bundledRecogniser()
      ? cohort
      : "was made by an earlier version or with another recogniser: build it anew with idem cohort build";
  } catch (error) {
    return `is none that can be used (${error instanceof Error ? error.message : String(error)})`;
  }
};

/** Which cohort is in force beside these models with their scale, for the operator; an own one as policies and decisions name it. */
export const describeCohort = (
  { "face-recogniser": slot }: SelectedModels,
  scale: ScoreScale | undefined,
): string => {
  if (slot !== undefined && slot.active.length > 0) return "none, beside an added recogniser";
  return scale === undefined ? "the one that ships" : scale.name;
};
