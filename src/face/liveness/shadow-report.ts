import type { Json, TransactionRecord } from "#storage/store";

/** How models that looked on compare with what decided, over stored calls. */
export type ShadowReport = {
  /** Names and first digits of the hashes of the models that looked on. */
  readonly models: string;
  /** Pictures of which they said something. */
  readonly pictures: number;
  /** Of these, pictures of which a deciding network said something too, and how far apart they were in the mean, 0…1. */
  readonly compared: number;
  readonly meanDistance: number;
  /** Pictures that one network took for live and the other not. */
  readonly disagreements: number;
  /** Pictures that were answered Live though the ones that looked on took them for an attack, and the reverse. */
  readonly liveAgainst: number;
  readonly attackAgainst: number;
};

type Said = { readonly models: string; readonly shadow: number; readonly active: number | undefined };
type Fields = { readonly [key: string]: Json };

const isFields = (value: Json | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const fieldsOf = (value: Json | undefined): Fields => (isFields(value) ? value : {});
const numberOf = (value: Json | undefined): number | undefined =>
  typeof value === "number" ? value : undefined;

/** What was said of each measured picture of a call, as `measurementsOf` wrote it: by name, or in a list of `pictures`. */
const saidIn = ({ measurements }: Pick<TransactionRecord, "measurements">): readonly Said[] => {
  const { pictures, ...named } = fieldsOf(measurements);
  return [...Object.values(named), ...(Array.isArray(pictures) ? pictures : [])].flatMap((picture) => {
    const { shadow, cues } = fieldsOf(picture);
    const { network } = fieldsOf(cues);
    const live = numberOf(fieldsOf(shadow)["live"]);
    if (live === undefined) return [];
    const models = Object.entries(fieldsOf(fieldsOf(shadow)["models"]))
      .map(([name, hash]) => (typeof hash === "string" ? `${name} ${hash.slice(0, 8)}` : name))
      .toSorted()
      .join(", ");
    return [{ models, shadow: live, active: numberOf(fieldsOf(network)["live"]) }];
  });
};

type Sums = { -readonly [Name in Exclude<keyof ShadowReport, "models">]: number };

const nothing = (): Sums => ({
  pictures: 0,
  compared: 0,
  meanDistance: 0,
  disagreements: 0,
  liveAgainst: 0,
  attackAgainst: 0,
});

/** Numbers of the interface for a live person and an attack (contract/liveness.ts). */
export type Verdicts = { readonly live: number; readonly attack: number };

/** Adds up calls page by page, one report for each set of models that looked on. */
export const makeShadowReport = (verdicts: Verdicts) => {
  const byModels = new Map<string, Sums>();
  const add = (record: Pick<TransactionRecord, "measurements" | "result">): void => {
    const answered = numberOf(fieldsOf(record.result)["liveness"]);
    for (const { models, shadow, active } of saidIn(record)) {
      const sums = byModels.get(models) ?? nothing();
      byModels.set(models, sums);
      sums.pictures++;
      if (answered === verdicts.live && shadow < 0.5) sums.liveAgainst++;
      if (answered === verdicts.attack && shadow >= 0.5) sums.attackAgainst++;
      if (active === undefined) continue;
      sums.compared++;
      sums.meanDistance += Math.abs(active - shadow);
      if (active >= 0.5 !== shadow >= 0.5) sums.disagreements++;
    }
  };
  return {
    add,
    reports: (): readonly ShadowReport[] =>
      [...byModels].map(([models, sums]) => ({
        models,
        ...sums,
        meanDistance: sums.compared === 0 ? 0 : sums.meanDistance / sums.compared,
      })),
  };
};
