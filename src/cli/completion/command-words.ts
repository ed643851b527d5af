/** What can be typed after each command: from its words, and for a command without them from its help. */
import type { Command, ListedCommand } from "../command.ts";

export type CommandWords = {
  readonly name: string;
  readonly summary: string;
  /** Actions or subjects, which stand directly after the command. */
  readonly actions: readonly string[];
  /** Options of the command and of its actions, with their dashes. */
  readonly options: readonly string[];
};

const unique = (words: readonly string[]): readonly string[] => [...new Set(words)];

const optionsIn = (help: string): readonly string[] =>
  [...help.matchAll(/(?<![\w-])--[a-z][a-z-]*[a-z]/g)].map(([option]) => option);

/** The words after `idem NAME` in the lines of usage: "create", or "faces | documents". */
const actionsIn = (help: string, name: string): readonly string[] =>
  [
    ...help.matchAll(new RegExp(`^(?:Usage: | +)idem ${name} ([a-z][a-z-]*(?: \\| [a-z][a-z-]*)*)`, "gm")),
  ].flatMap(([, words = ""]) => words.split(" | "));

/** The options of a command and of its topics: those that it states, or those that its help names. */
const optionsOf = async ({ help, options, topics = {} }: Command): Promise<readonly string[]> => {
  const below = await Promise.all(Object.values(topics).map(async (load) => await optionsOf(await load())));
  return [...(options?.map((name) => `--${name}`) ?? optionsIn(help)), ...below.flat()];
};

/** Reads the words of all commands; this loads every command. */
export const readCommandWords = async (
  commands: Readonly<Record<string, ListedCommand>>,
): Promise<readonly CommandWords[]> =>
  await Promise.all(
    Object.entries(commands).map(async ([name, { summary, load }]) => {
      const command = await load();
      return {
        name,
        summary,
        actions: unique([...Object.keys(command.topics ?? {}), ...actionsIn(command.help, name)]),
        options: unique([...(await optionsOf(command)), "--help"]),
      };
    }),
  );
