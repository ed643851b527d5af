/**
 * What an operator may type after a command, as data. The parsing of its words, the lines of its options in
 * the help and the completion of shells follow from it.
 */
import { parseOptions, UsageError } from "../command.ts";

/** One option. */
export type Option = {
  readonly type: "string" | "boolean";
  /** It may be repeated. */
  readonly multiple?: true;
  /** The value where it is not given. */
  readonly default?: string;
  /** The sentence where it is not given, and the command needs it. */
  readonly needed?: string;
  /** Reads the value. Throws UsageError. */
  readonly read?: (text: string) => unknown;
  /** What the help says of it. Without it only the usage names the option. */
  readonly says?: string;
  /** How the help writes it; by default its name with dashes. */
  readonly label?: string;
};

export type Options = Readonly<Record<string, Option>>;

/** One command, its topics included. */
export type Words = {
  /** The whole help text. A topic without one has that of its command. */
  readonly help?: string;
  /** The options of the command itself. A command without them only holds topics. */
  readonly options?: Options;
  /** Words beside the options: the sentence where there is not exactly one, or true for any number. */
  readonly takes?: string | true;
  readonly topics?: Readonly<Record<string, Words>>;
};

type Missing<One extends Option> = One extends { readonly default: string } | { readonly needed: string }
  ? never
  : undefined;
type Read<One extends Option> = One extends { readonly read: (text: string) => infer Value } ? Value : string;
type ValueOf<One extends Option> = One extends { readonly type: "boolean" }
  ? boolean
  : One extends { readonly multiple: true }
    ? readonly string[]
    : Read<One> | Missing<One>;

/** The values of options, read. */
export type Values<Of extends Options> = { readonly [Name in keyof Of]: ValueOf<Of[Name]> };

type Given<Of extends Words> = Of extends { readonly takes: string }
  ? readonly [word: string]
  : Of extends { readonly takes: true }
    ? readonly [words: readonly string[]]
    : readonly [];

/** What a command does with its values and words. Resolves with the exit code. */
export type Work<Of extends Words> = (
  values: Values<NonNullable<Of["options"]>>,
  ...given: Given<Of>
) => Promise<number>;

const valueOf = (option: Option, given: unknown): unknown => {
  const { type, multiple, needed, read } = option;
  if (type === "boolean") return given === true;
  if (multiple === true) return given ?? [];
  if (given === undefined && needed !== undefined) throw new UsageError(needed);
  return typeof given === "string" && read !== undefined ? read(given) : given;
};

/** The values of the options, read in the order of the options: the first fault is reported. */
const readValues = (
  options: Options,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(options).map(([name, option]) => [name, valueOf(option, given[name])]));

/** What was typed, as the arguments of the work. Throws UsageError. */
export const readWords = ({ options = {}, takes }: Words, args: readonly string[]): readonly unknown[] => {
  const { values, positionals } = parseOptions(args, options, takes !== undefined);
  if (typeof takes === "string" && positionals.length !== 1) throw new UsageError(takes);
  const read = readValues(options, values);
  return takes === undefined ? [read] : [read, takes === true ? positionals : positionals[0]];
};

/** The lines of options in a help text. */
export const optionLines = (options: Options): string => {
  const shown = Object.entries(options).flatMap(([name, { label = `--${name}`, says }]) =>
    says === undefined ? [] : [{ label, says }],
  );
  const width = Math.max(...shown.map(({ label }) => label.length)) + 2;
  return shown
    .map(({ label, says }) => `  ${label.padEnd(width)}${says.replaceAll("\n", `\n  ${" ".repeat(width)}`)}`)
    .join("\n");
};
