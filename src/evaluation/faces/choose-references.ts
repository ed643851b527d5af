/** An image with its identity. */
type Labelled = { readonly name: string };

export type References<Face extends Labelled> = {
  /** The references of each person, as many as asked. */
  readonly persons: readonly { readonly name: string; readonly references: readonly Face[] }[];
  /**
   * Images that are compared with every person: the later images of these persons, and all images of the
   * others.
   */
  readonly probes: readonly Face[];
};

/** The most references of a registered user. */
export const referencesMax = 3;
const probesPerPersonMax = 4;

/**
 * The first `count` images (1 to 3) of each person with four images or more are the references. The probes
 * are the fourth to the seventh image of these persons, and all images of the others. So the probes are the
 * same for every `count`, and none is a reference.
 */
export const chooseReferences = <Face extends Labelled>(
  faces: readonly Face[],
  count: number,
): References<Face> => {
  const all = [...Map.groupBy(faces, ({ name }) => name)];
  const hasProbes = (images: readonly Face[]): boolean => images.length > referencesMax;
  return {
    persons: all
      .filter(([, images]) => hasProbes(images))
      .map(([name, images]) => ({ name, references: images.slice(0, count) })),
    probes: all.flatMap(([, images]) =>
      hasProbes(images) ? images.slice(referencesMax, referencesMax + probesPerPersonMax) : images,
    ),
  };
};
