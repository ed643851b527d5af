import { normalDeviate, seededRandom } from "#contract/statistics/random";

/** Two unit vectors and a handicap of an invented face. */
export type SyntheticFace = {
  readonly dlib: Float32Array;
  readonly faceres: Float32Array;
  readonly handicap: number;
};

/**
 * The statistics of 7.3 million impostor pairs of LFW, which these faces reproduce: dlib cosine .840 ± .034,
 * faceres .112 ± .101, correlation .60. Unit vectors about a common mean whose remainder fills `n` directions
 * evenly have a deviation of `(1 - mean) / sqrt(n)`. A third of the remainder of faceres is shared with dlib,
 * which gives the correlation.
 */
const dlibMean = 0.84;
const faceresMean = 0.112;
const sharedDirections = 22;
const ownDirections = 55;
const sharedWeight = 0.324;
/**
 * The cohort score of nearly two fifths of LFW's faces is above the bound. There the handicap is .42
 * deviations on average.
 */
const commonShare = 0.37;
const handicapMean = 0.42;

/**
 * Draws the face of a seed, always the same one. A `distance` above 0 moves it, as another image of the same
 * identity does.
 */
export type DrawFace = (seed: number, distance?: number) => SyntheticFace;

export const makeDrawFace = (populationSeed: number): DrawFace => {
  const random = seededRandom(populationSeed);
  const [dlibCentre, faceresCentre] = [unit(deviates(random, 128)), unit(deviates(random, 1024))];
  const toDlib = Array.from({ length: sharedDirections }, () => direction(random, 128));
  const toFaceres = Array.from({ length: sharedDirections + ownDirections }, () => direction(random, 1024));
  return (seed, distance = 0) => {
    const own = seededRandom(seed);
    const shared = unit(deviates(own, sharedDirections));
    const rest = unit(deviates(own, ownDirections));
    const handicap = own() < commonShare ? -handicapMean * Math.log(1 - own()) : 0;
    const moved = seededRandom(seed + 1);
    const latent = move(shared, distance, moved);
    const longLatent = [
      ...Array.from(latent, (value) => value * Math.sqrt(sharedWeight)),
      ...Array.from(move(rest, distance, moved), (value) => value * Math.sqrt(1 - sharedWeight)),
    ];
    return {
      dlib: about(dlibCentre, dlibMean, span(toDlib, latent, 128)),
      faceres: about(faceresCentre, faceresMean, span(toFaceres, longLatent, 1024)),
      handicap,
    };
  };
};

const deviates = (random: () => number, length: number): Float32Array =>
  Float32Array.from({ length }, () => normalDeviate(random));

/** Divides a vector by its length, in place. */
const unit = (vector: Float32Array): Float32Array => {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) {
    squares += vector[i]! ** 2;
  }
  const scale = 1 / Math.sqrt(squares);
  for (let i = 0; i < vector.length; i++) {
    vector[i]! *= scale;
  }
  return vector;
};

const move = (vector: Float32Array, distance: number, random: () => number): Float32Array =>
  distance === 0
    ? vector
    : unit(vector.map((value) => value + (distance * normalDeviate(random)) / Math.sqrt(vector.length)));

/**
 * A direction that covers an eighth of the values, from a random position on, so that a million faces are
 * drawn in minutes.
 */
type Direction = { readonly from: number; readonly values: Float32Array };

const direction = (random: () => number, length: number): Direction => {
  const values = deviates(random, Math.max(64, length / 8));
  return { from: Math.floor(random() * (length - values.length)), values };
};

/** The sum of directions, each with its own weight. */
const span = (directions: readonly Direction[], shares: ArrayLike<number>, length: number): Float32Array => {
  const sum = new Float32Array(length);
  for (let d = 0; d < directions.length; d++) {
    const { from, values } = directions[d]!;
    const share = shares[d]!;
    for (let i = 0; i < values.length; i++) {
      sum[from + i]! += share * values[i]!;
    }
  }
  return unit(sum);
};

/** A unit vector whose mean cosine with others about the same centre is `mean`. */
const about = (centre: Float32Array, mean: number, other: Float32Array): Float32Array => {
  const [toCentre, away] = [Math.sqrt(mean), Math.sqrt(1 - mean)];
  for (let i = 0; i < other.length; i++) {
    other[i] = toCentre * centre[i]! + away * other[i]!;
  }
  return unit(other);
};
