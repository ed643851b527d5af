/** What the command line of `npm run test:attack` sets (attack.ts); tests read it from the environment. */
export type AttackSettings = {
  readonly seed: number;
  /** Seconds of generated cases for each part: attacks, specification, overload. */
  readonly seconds: { readonly attacks: number; readonly specification: number; readonly overload: number };
  /** Generated cases for each kind, in place of the seconds. */
  readonly cases?: number;
  /** The only case to run, such as `images/7/12`. */
  readonly only?: string;
  /** Path of a counterexample of the specification's test, with its seed. */
  readonly path?: string;
};

/** A minute, beside the fixed cases. */
const shortSeconds = { attacks: 20, specification: 20, overload: 20 } as const;

const numberIn = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);

export const readAttackSettings = (environment: NodeJS.ProcessEnv = process.env): AttackSettings => {
  const { ATTACK_SEED, ATTACK_MINUTES, ATTACK_CASES, ATTACK_CASE, ATTACK_PATH } = environment;
  const seconds = numberIn(ATTACK_MINUTES);
  const cases = numberIn(ATTACK_CASES);
  const all = seconds === undefined ? undefined : seconds * 60;
  return {
    seed: numberIn(ATTACK_SEED) ?? 1,
    seconds: all === undefined ? shortSeconds : { attacks: all, specification: all, overload: all },
    ...(cases !== undefined && { cases }),
    ...(ATTACK_CASE !== undefined && { only: ATTACK_CASE }),
    ...(ATTACK_PATH !== undefined && { path: ATTACK_PATH }),
  };
};
