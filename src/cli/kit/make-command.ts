/** A command of the command line, from its words and its work. */
import { type Command, wrongAction } from "../command.ts";
import { type Options, readWords, type Words, type Work } from "./action.ts";

/** The work of a command, loaded when it runs: its help loads no store. */
type Loaded<Of extends Words> = () => Promise<Work<Of>>;

/**
 * The work of a command, or of each topic of its words. `itself`: the work of a command that has topics too.
 */
export type Works<Of extends Words> = Of extends {
  readonly topics: infer Topics extends Readonly<Record<string, Words>>;
}
  ? (Of extends { readonly options: Options } ? { readonly itself: Loaded<Of> } : unknown) & {
      readonly [Name in keyof Topics]: Works<Topics[Name]>;
    }
  : Loaded<Of>;

/** Work of any command: its words state what it takes. */
type AnyWork = (...given: readonly never[]) => Promise<number>;
type AnyLoaded = () => Promise<AnyWork>;
type AnyWorks = AnyLoaded | { readonly [name: string]: AnyWorks };

export const makeCommand = <Of extends Words>(name: string, words: Of, works: Works<Of>): Command =>
  build(name, words, works, "");

const build = (path: string, words: Words, works: AnyWorks, helpAbove: string): Command => {
  const { help = helpAbove, options = {}, topics = {} } = words;
  const names = Object.keys(topics);
  const itself = typeof works === "function" ? works : works["itself"];
  const worksOf = (name: string): AnyWorks => (typeof works === "function" ? works : works[name]!);
  return {
    help,
    options: Object.keys(options),
    topics: Object.fromEntries(
      Object.entries(topics).map(([name, topic]) => [
        name,
        async () => build(`${path} ${name}`, topic, worksOf(name), help),
      ]),
    ),
    run: async (args) => {
      if (typeof itself !== "function") throw wrongAction(path, args[0], names);
      const given = readWords(words, args);
      return await perform(await itself(), given);
    },
  };
};

/** Does work with the arguments that its own words read. */
const perform = async (work: AnyWork, given: readonly unknown[]): Promise<number> => {
  const code: unknown = await Reflect.apply(work, undefined, given);
  return Number(code);
};
