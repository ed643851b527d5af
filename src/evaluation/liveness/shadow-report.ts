import type { Json } from "#contract/json";
import type { TransactionRecord } from "#record/transactions/record";

/** Compares shadow models with the deciding model, over stored calls. */
export type ShadowReport = {
  /** Names of the shadow models, with the first digits of their hashes. */
  readonly models: string;
  /** Images with a shadow result. */
  readonly pictures: number;
  /**
   * Of these, images with a result of a deciding network too, and the mean distance of the two results, 0…1.
   */
  readonly compared: number;
  readonly meanDistance: number;
  /** Images that one network rated live and the other did not. */
  readonly disagreements: number;
  /** Images answered Live that the shadow models rated as an attack, and the reverse. */
  readonly liveAgainst: number;
  readonly attackAgainst: number;
};

type ShadowResult = { readonly models: string; readonly shadow: number; readonly active: number | undefined };
type Fields = { readonly [key: string]: Json };

const isFields = (value: Json | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const fieldsOf = (value: Json | undefined): Fields => (isFields(value) ? value : {});
const numberOf = (value: Json | undefined): number | undefined =>
  typeof value === "number" ? value : undefined;

/**
 * The results on each measured image of a call, as `measurementsOf` wrote them: by name, or in the list
 * `pictures`.
 */
const shadowResultsIn = ({
  measurements,
}: Pick<TransactionRecord, "measurements">): readonly ShadowResult[] => {
  const { pictures: images, ...named } = fieldsOf(measurements);
  return [...Object.values(named), ...(Array.isArray(images) ? images : [])].flatMap((image) => {
    const { shadow, cues } = fieldsOf(image);
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

const zeroSums = (): Sums => ({
  pictures: 0,
  compared: 0,
  meanDistance: 0,
  disagreements: 0,
  liveAgainst: 0,
  attackAgainst: 0,
});

/** Numbers of the interface for a live person and an attack (contract/liveness.ts). */
export type Verdicts = { readonly live: number; readonly attack: number };

/** Adds up calls page by page, with one report per set of shadow models. */
export const makeShadowReport = (verdicts: Verdicts) => {
  const byModels = new Map<string, Sums>();
  const add = (record: Pick<TransactionRecord, "measurements" | "result">): void => {
    const answered = numberOf(fieldsOf(record.result)["liveness"]);
    for (const { models, shadow, active } of shadowResultsIn(record)) {
      const sums = byModels.get(models) ?? zeroSums();
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
