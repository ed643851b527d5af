/** A number of a policy with its path, such as `liveness.yawDegreesMax`. */
export type PolicyFigure = readonly [path: string, value: number];

/** Every number in a policy, however deep, in the order of its text. */
export const figuresOf = (part: object, before = ""): readonly PolicyFigure[] =>
  Object.entries(part).flatMap(([name, value]: readonly [string, unknown]): readonly PolicyFigure[] => {
    const path = `${before}${name}`;
    if (typeof value === "number") return [[path, value]];
    return typeof value === "object" && value !== null ? figuresOf(value, `${path}.`) : [];
  });

/** A copy of a policy with another number at a path of {@link figuresOf}. Throws Error for another path. */
export const withFigure = <Policy extends object>(policy: Policy, path: string, value: number): Policy => {
  const copy = structuredClone(policy);
  const names = path.split(".");
  const name = names.pop() ?? "";
  const part = names.reduce((within: object, step) => childOf(within, step, path), copy);
  if (typeof Reflect.get(part, name) !== "number") throw new Error(`The policy has no number at ${path}`);
  Reflect.set(part, name, value);
  return copy;
};

const childOf = (part: object, name: string, path: string): object => {
  const child: unknown = Reflect.get(part, name);
  if (typeof child !== "object" || child === null)
    throw new Error(`The policy has no part ${name} of ${path}`);
  return child;
};

/** The next number of double precision above a finite one. */
export const justAbove = (value: number): number => {
  if (value === 0) return Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return view.getFloat64(0);
};

/** The next number of double precision below a finite one. */
export const justBelow = (value: number): number => -justAbove(-value);

/** The answers of a judge just below a threshold, at it, and just above it. */
export type Answers = readonly [below: unknown, at: unknown, above: unknown];

/** The expected answers of a judge around one number of its policy. */
export type Threshold<Policy> = {
  /** The answer to a measurement of this value under this policy. */
  readonly judge: (value: number, policy: Policy) => unknown;
  readonly answers: Answers;
  /** Step between the values that are tested on either side of a threshold, for judges that round. */
  readonly step?: number;
  /** Another value of the number, and the answers around it where they differ. By default a tenth less. */
  readonly moved?: { readonly to: number; readonly answers?: Answers };
};

/** What a judge answers around a value, under a policy. */
export const answersAround = async <Policy>(
  { judge, step }: Pick<Threshold<Policy>, "judge" | "step">,
  value: number,
  policy: Policy,
): Promise<Answers> => [
  await judge(step === undefined ? justBelow(value) : value - step, policy),
  await judge(value, policy),
  await judge(step === undefined ? justAbove(value) : value + step, policy),
];

/**
 * The answers that differ from the expected ones: around each number of the policy, and around it after it
 * moved, so that a judge with a number of its own is found. A number without a threshold is an entry too, and
 * so is a threshold without a number.
 */
export const wrongAnswers = async <Policy extends object>(
  policy: Policy,
  thresholds: Readonly<Record<string, Threshold<Policy>>>,
  isThreshold: (path: string) => boolean = () => true,
): Promise<readonly string[]> => {
  const figures = figuresOf(policy).filter(([path]) => isThreshold(path));
  const unknown = Object.keys(thresholds).filter((path) => !figures.some(([known]) => known === path));
  const wrong = unknown.map((path) => `${path} is no number of the policy`);
  for (const [path, value] of figures) {
    const threshold = thresholds[path];
    if (threshold === undefined) wrong.push(`${path} has no test on either side`);
    else wrong.push(...(await wrongAround(policy, path, value, threshold)));
  }
  return wrong;
};

const wrongAround = async <Policy extends object>(
  policy: Policy,
  path: string,
  value: number,
  threshold: Threshold<Policy>,
): Promise<readonly string[]> => {
  const { answers, moved: { to = value * 0.9, answers: after = answers } = {} } = threshold;
  const cases = [
    [value, policy, answers],
    [to, withFigure(policy, path, to), after],
  ] as const;
  const wrong: string[] = [];
  for (const [at, under, expected] of cases) {
    const found = JSON.stringify(await answersAround(threshold, at, under));
    if (found !== JSON.stringify(expected)) {
      wrong.push(`${path} at ${at}: ${found} instead of ${JSON.stringify(expected)}`);
    }
  }
  return wrong;
};
