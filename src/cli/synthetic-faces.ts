import { normalDeviate, seededRandom } from "#statistics/random";

/** Two unit vectors and a handicap, of nobody. */
export type SyntheticFace = {
  readonly dlib: Float32Array;
  readonly faceres: Float32Array;
  readonly handicap: number;
};

/**
 * What 7.3 million impostor pairs of LFW show, which these faces repeat: dlib cosine .840 ± .034, faceres .112 ± .101,
 * correlated by .60. Unit vectors about a common mean whose other part fills `n` directions evenly have a deviation of
 * `(1 - mean) / sqrt(n)`; a third of faceres' other part is dlib's, whence the correlation.
 */
const dlibMean = 0.84;
const faceresMean = 0.112;
const sharedDirections = 22;
const ownDirections = 55;
const sharedWeight = 0.324;
/** Two fifths of LFW's faces look more common than most; what it takes off is a third of a deviation on average there. */
const commonShare = 0.43;
const handicapMean = 0.3;

/** Draws the face of a seed, always the same one; `distance` from 0 moves it, as another picture of the person does. */
export type DrawFace = (seed: number, distance?: number) => SyntheticFace;

export const makeDrawFace = (worldSeed: number): DrawFace => {
  const random = seededRandom(worldSeed);
  const [dlibCentre, faceresCentre] = [unit(deviates(random, 128)), unit(deviates(random, 1024))];
  const toDlib = Array.from({ length: sharedDirections }, () => deviates(random, 128));
  const toFaceres = Array.from({ length: sharedDirections + ownDirections }, () => deviates(random, 1024));
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
      dlib: about(dlibCentre, dlibMean, span(toDlib, latent)),
      faceres: about(faceresCentre, faceresMean, span(toFaceres, longLatent)),
      handicap,
    };
  };
};

const deviates = (random: () => number, length: number): Float32Array =>
  Float32Array.from({ length }, () => normalDeviate(random));

const unit = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
};

const move = (vector: Float32Array, distance: number, random: () => number): Float32Array =>
  distance === 0
    ? vector
    : unit(vector.map((value) => value + (distance * normalDeviate(random)) / Math.sqrt(vector.length)));

/** The sum of directions, each by its own share. */
const span = (directions: readonly Float32Array[], shares: ArrayLike<number>): Float32Array => {
  const sum = new Float32Array(directions[0]!.length);
  directions.forEach((direction, d) => {
    const share = shares[d]!;
    for (let i = 0; i < sum.length; i++) {
      sum[i]! += share * direction[i]!;
    }
  });
  return unit(sum);
};

const about = (centre: Float32Array, mean: number, other: Float32Array): Float32Array =>
  unit(other.map((value, i) => Math.sqrt(mean) * centre[i]! + Math.sqrt(1 - mean) * value));
