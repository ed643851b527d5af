/** Composition of the cohorts: the shipped cohort, and the operator's own if the configuration names one. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Cohort, type NamedCohort, unpackCohort } from "#judging/face/matching/cohort";
import type { ScoreScale } from "#judging/face/matching/score-scale";
import { type Config, ConfigError } from "#machine/config/config";
import type { SelectedModels } from "#machine/models/selected";
import { cohortEntry } from "#machine/networks/ledger";
import { readModelFiles } from "#machine/networks/model-files";
import { bundledRecogniser } from "./recogniser.ts";

/**
 * The checked file of the shipped cohort, and its SHA-256 (hex), which decisions record. Made by
 * {@link readShippedCohort}.
 */
export type CohortFile = { readonly bytes: Uint8Array; readonly hash: string };

/**
 * Reads the cohort for the cohort scores of templates. Throws Error with the reason if the file is missing or
 * altered.
 */
export const readShippedCohort = async (): Promise<CohortFile> => {
  const [bytes] = await readModelFiles(cohortEntry);
  return { bytes: bytes!, hash: cohortEntry.files[0].sha256 };
};

/**
 * Throws ConfigError if the operator's file is unreadable, is no cohort, or was made with another recogniser.
 */
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

/** The cohort, or the reason why it is unusable. */
const read = (bytes: Uint8Array): Cohort | string => {
  try {
    const cohort = unpackCohort(bytes);
    return cohort.recogniser === bundledRecogniser()
      ? cohort
      : "was made by an earlier version or with another recogniser: build it again with idem cohort build";
  } catch (error) {
    return `is no usable cohort (${error instanceof Error ? error.message : String(error)})`;
  }
};

/**
 * Names the cohort in force under these models and scale, for the operator. Policies and decisions use the
 * same name.
 */
export const describeCohort = (
  { "face-recogniser": slot }: SelectedModels,
  scale: ScoreScale | undefined,
): string => {
  if (slot !== undefined && slot.active.length > 0) return "none, beside an added recogniser";
  return scale === undefined ? "the bundled one" : scale.name;
};
