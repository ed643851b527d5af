import { seededRandom } from "#statistics/random";

type Pair = readonly [a: number, b: number];

/** Pairs of positions in the list of pictures. `impostor` is made while it is read: there may be millions. */
export type ChosenPairs = { readonly genuine: readonly Pair[]; readonly impostor: Iterable<Pair> };

const genuinePairsPerPersonMax = 4;
const impostorPairsMax = 10_000_000;
const seed = 9;

/**
 * Pairs for all against all: at most four genuine pairs a person, so that no one person rules the figure, and all
 * impostor pairs, or ten million drawn with a fixed seed where there are more. 300,000 drawn ones are too few: at FMR
 * 1e-4 the draw alone moved TAR on LFW by .9 points (standard deviation of 40 draws). `persons[i]` is who picture i
 * shows.
 */
export const choosePairs = (persons: readonly string[]): ChosenPairs => {
  const next = seededRandom(seed);
  const genuine: Pair[] = [];
  for (const pictures of Map.groupBy(persons.keys(), (i) => persons[i]!).values()) {
    const own = pictures.flatMap((a, i) => pictures.slice(i + 1).map((b): Pair => [a, b]));
    genuine.push(...shuffled(own, next).slice(0, genuinePairsPerPersonMax));
  }
  const total = (persons.length * (persons.length - 1)) / 2;
  return {
    genuine,
    impostor: total <= impostorPairsMax ? everyImpostor(persons) : drawnImpostors(persons, next),
  };
};

function* everyImpostor(persons: readonly string[]): Generator<Pair> {
  for (let a = 0; a < persons.length; a++) {
    for (let b = a + 1; b < persons.length; b++) {
      if (persons[a] !== persons[b]) yield [a, b];
    }
  }
}

function* drawnImpostors(persons: readonly string[], next: () => number): Generator<Pair> {
  if (persons.every((person) => person === persons[0])) return;
  for (let drawn = 0; drawn < impostorPairsMax; ) {
    const [a, b] = [Math.floor(next() * persons.length), Math.floor(next() * persons.length)];
    if (persons[a] !== persons[b]) {
      drawn++;
      yield [a, b];
    }
  }
}

/** A picture with the person whom it shows. */
type Labelled = { readonly path: string; readonly person: string };

/**
 * Pairs of a reference (first place) and a picture of the other list: at most four genuine ones a reference, all
 * impostor ones. A picture is not compared with the reference that was made of it.
 */
export const chooseCrossPairs = (
  references: readonly Labelled[],
  pictures: readonly Labelled[],
): ChosenPairs => {
  const next = seededRandom(seed);
  const genuine = references.flatMap((reference, a) => {
    const own = pictures.flatMap(({ path, person }, b): readonly Pair[] =>
      person === reference.person && path !== reference.path ? [[a, b]] : [],
    );
    return shuffled(own, next).slice(0, genuinePairsPerPersonMax);
  });
  return { genuine, impostor: crossImpostors(references, pictures) };
};

function* crossImpostors(references: readonly Labelled[], pictures: readonly Labelled[]): Generator<Pair> {
  for (const [a, { person }] of references.entries()) {
    for (const [b, picture] of pictures.entries()) {
      if (picture.person !== person) yield [a, b];
    }
  }
}

/** Fisher and Yates. */
const shuffled = (pairs: readonly Pair[], next: () => number): readonly Pair[] => {
  const copy = [...pairs];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    const kept = copy[i]!;
    copy[i] = copy[j]!;
    copy[j] = kept;
  }
  return copy;
};
