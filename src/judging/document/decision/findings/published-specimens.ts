import { specimenSources } from "./specimen-sources.ts";

/** Texts of published specimens by the issuer (alpha-3) of their documents: others may hold the same text. */
export type Published = ReadonlyMap<string, ReadonlySet<string>>;

const byIssuer = (entries: readonly (readonly [issuer: string, text: string])[]): Published => {
  const texts = new Map<string, Set<string>>();
  for (const [issuer, text] of entries) texts.set(issuer, (texts.get(issuer) ?? new Set()).add(text));
  return texts;
};

/** Numbers of documents that their issuers published as specimens, without separators. */
export const publishedNumbers: Published = byIssuer(
  specimenSources.flatMap(({ numbers = [] }) =>
    numbers.flatMap(([issuer, own]) => own.split(" ").map((number) => [issuer, number] as const)),
  ),
);

/** Whole names of holders on published specimens, as an MRZ has them before its filler. */
export const publishedNames: Published = byIssuer(specimenSources.flatMap(({ names = [] }) => names));
