import { seededRandom } from "#contract/statistics/random";

type Pair = readonly [a: number, b: number];

/**
 * Pairs of positions in the list of images. `impostor` is generated during iteration: there may be millions.
 */
export type ChosenPairs = { readonly genuine: readonly Pair[]; readonly impostor: Iterable<Pair> };

const genuinePairsPerIdentityMax = 4;
const impostorPairsMax = 10_000_000;
const seed = 9;

/**
 * Pairs of all images against all. At most four genuine pairs per identity, so that no identity dominates the
 * rate. All impostor pairs, or ten million drawn with a fixed seed if there are more. 300,000 drawn pairs are
 * too few: at FMR 1e-4 the draw alone moved TAR on LFW by .9 points (standard deviation of 40 draws).
 * `persons[i]` is the identity of image i.
 */
export const choosePairs = (identities: readonly string[]): ChosenPairs => {
  const next = seededRandom(seed);
  const genuine: Pair[] = [];
  for (const images of Map.groupBy(identities.keys(), (i) => identities[i]!).values()) {
    const ownPairs = images.flatMap((a, i) => images.slice(i + 1).map((b): Pair => [a, b]));
    genuine.push(...shuffled(ownPairs, next).slice(0, genuinePairsPerIdentityMax));
  }
  const total = (identities.length * (identities.length - 1)) / 2;
  return {
    genuine,
    impostor: total <= impostorPairsMax ? everyImpostor(identities) : drawnImpostors(identities, next),
  };
};

function* everyImpostor(identities: readonly string[]): Generator<Pair> {
  for (let a = 0; a < identities.length; a++) {
    for (let b = a + 1; b < identities.length; b++) {
      if (identities[a] !== identities[b]) yield [a, b];
    }
  }
}

function* drawnImpostors(identities: readonly string[], next: () => number): Generator<Pair> {
  if (identities.every((person) => person === identities[0])) return;
  for (let drawn = 0; drawn < impostorPairsMax; ) {
    const [a, b] = [Math.floor(next() * identities.length), Math.floor(next() * identities.length)];
    if (identities[a] !== identities[b]) {
      drawn++;
      yield [a, b];
    }
  }
}

/** An image with its identity. */
type Labelled = { readonly path: string; readonly person: string };

/**
 * Pairs of a reference (first position) and an image of the other list: at most four genuine pairs per
 * reference, all impostor pairs. An image is not compared with the reference made from it.
 */
export const chooseCrossPairs = (
  references: readonly Labelled[],
  images: readonly Labelled[],
): ChosenPairs => {
  const next = seededRandom(seed);
  const genuine = references.flatMap((reference, a) => {
    const ownPairs = images.flatMap(({ path, person }, b): readonly Pair[] =>
      person === reference.person && path !== reference.path ? [[a, b]] : [],
    );
    return shuffled(ownPairs, next).slice(0, genuinePairsPerIdentityMax);
  });
  return { genuine, impostor: crossImpostors(references, images) };
};

function* crossImpostors(references: readonly Labelled[], images: readonly Labelled[]): Generator<Pair> {
  for (const [a, { person }] of references.entries()) {
    for (const [b, image] of images.entries()) {
      if (image.person !== person) yield [a, b];
    }
  }
}

/** Fisher and Yates. */
const shuffled = (pairs: readonly Pair[], next: () => number): readonly Pair[] => {
  const copy = [...pairs];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    const held = copy[i]!;
    copy[i] = copy[j]!;
    copy[j] = held;
  }
  return copy;
};
