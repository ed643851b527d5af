/** The evidence of one cue about one sample. */
export type CueEvidence<Cue extends string> = {
  readonly cue: Cue;
  /** Natural log of the likelihood ratio, attack over bona fide, of the measurement. 0 is neutral. */
  readonly weight: number;
};

/** The fitted numbers that join presentation attack cues into one result. */
export type FittedFusion<Cue extends string> = {
  /** Natural log odds of an attack before any cue. */
  readonly offset: number;
  /** Factor of each cue's weight, 0 and more; 1 for a cue without an entry. */
  readonly scales: Readonly<Partial<Record<Cue, number>>>;
};

export type CueFusion<Cue extends string> = FittedFusion<Cue> & {
  /** Identifies the fit in stored decisions: a hash of its file, or the name of the default. */
  readonly name: string;
};

/** Cues that may not decide alone, and the most that their sum changes the log odds, in both directions. */
export type WeakCues<Cue extends string> = {
  readonly isWeak: (cue: Cue) => boolean;
  readonly max: number;
};

/** The evidence with calibrated weights. */
export const calibrate = <Cue extends string>(
  evidence: readonly CueEvidence<Cue>[],
  { scales }: Pick<FittedFusion<Cue>, "scales">,
): readonly CueEvidence<Cue>[] =>
  evidence.map(({ cue, weight }) => ({ cue, weight: weight * (scales[cue] ?? 1) }));

/**
 * Log odds of an attack from calibrated evidence: the cues are independent (naive Bayes). The sum of weak
 * cues stays within their limit. A replay compares results to the last digit: do not change the order of the
 * sums.
 */
export const logOddsOf = <Cue extends string>(
  evidence: readonly CueEvidence<Cue>[],
  offset: number,
  weakCues?: WeakCues<Cue>,
): number => {
  if (weakCues === undefined) return evidence.reduce((sum, { weight }) => sum + weight, offset);
  const { isWeak, max } = weakCues;
  const decisive = sumOf(evidence, (cue) => !isWeak(cue));
  return offset + decisive + Math.min(max, Math.max(-max, sumOf(evidence, isWeak)));
};

/** The sum of the weights of some cues. */
export const sumOf = <Cue extends string>(
  evidence: readonly CueEvidence<Cue>[],
  isCounted: (cue: Cue) => boolean,
): number => evidence.reduce((sum, { cue, weight }) => (isCounted(cue) ? sum + weight : sum), 0);

/** Log odds as a probability, 0 to 1. */
export const probabilityOf = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));
