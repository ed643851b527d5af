import { chooseReferences, referencesMax } from "#evaluation/faces/choose-references";
import type { Comparison } from "#judging/face/matching/comparison";
import type { Template } from "#judging/face/matching/template-kinds";
import { UsageError } from "../../command.ts";
import type { Face } from "./face-lists.ts";

type Comparing = {
  readonly compare: (a: Template, b: Template) => Comparison | undefined;
  readonly joinComparisons: (first: Comparison, others: readonly Comparison[]) => Comparison;
};

/** The number of references of a person; undefined where each image is one. */
export const countOf = (values: {
  readonly references?: string | undefined;
  readonly identities?: string | undefined;
  readonly groups?: string | undefined;
  readonly reference?: string | undefined;
}): number | undefined => {
  const { references, identities, groups, reference } = values;
  if (references === undefined) return undefined;
  if (identities === undefined || groups !== undefined || reference !== undefined) {
    throw new UsageError("--references goes with --identities, and without --groups and --reference");
  }
  const count = Number(references);
  if (!Number.isInteger(count) || count < 1 || count > referencesMax) {
    throw new UsageError(`--references is 1 to ${referencesMax}, not "${references}"`);
  }
  return count;
};

/**
 * Scores of each probe with all references of each person. `enrol` measures images by their paths; an image
 * without a template is left out. Throws UsageError for a list without a person with enough images.
 */
export const compareReferences = async (
  faces: readonly Face[],
  count: number,
  comparing: Comparing,
  enrol: (paths: readonly string[]) => Promise<ReadonlyMap<string, Template>>,
): Promise<{ readonly genuine: Float64Array; readonly impostor: Float64Array }> => {
  const { persons, probes } = chooseReferences(faces, count);
  if (persons.length === 0) {
    throw new UsageError(`--references needs persons with more than ${referencesMax} images`);
  }
  const all = [...persons.flatMap(({ references }) => references), ...probes];
  const templates = await enrol(all.map(({ path }) => path));
  const [genuine, impostor]: [number[], number[]] = [[], []];
  for (const { name, references } of persons) {
    for (const probe of probes) {
      const score = joinedScore(references, templates.get(probe.path), templates, comparing);
      if (score !== undefined) (probe.name === name ? genuine : impostor).push(score);
    }
  }
  return { genuine: Float64Array.from(genuine), impostor: Float64Array.from(impostor) };
};

const joinedScore = (
  references: readonly Face[],
  seen: Template | undefined,
  templates: ReadonlyMap<string, Template>,
  { compare, joinComparisons }: Comparing,
): number | undefined => {
  const [first, ...others] = references.flatMap(({ path }) => {
    const template = templates.get(path);
    return (seen && template && compare(template, seen)) ?? [];
  });
  return first && joinComparisons(first, others).score;
};
