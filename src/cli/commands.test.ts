import { expect, it } from "vitest";
import type { Command, ListedCommand } from "./command.ts";
import { commands } from "./commands.ts";

type Named = { readonly path: string; readonly command: Command };

const walk = async (path: string, load: ListedCommand["load"]): Promise<readonly Named[]> => {
  const command = await load();
  const below = await Promise.all(
    Object.entries(command.topics ?? {}).map(([name, topic]) => walk(`${path} ${name}`, topic)),
  );
  return [{ path, command }, ...below.flat()];
};

const all = (await Promise.all(Object.entries(commands).map(([name, { load }]) => walk(name, load)))).flat();

/** Commands whose options are data, by their help text: topics may have that of their command. */
const byHelp = Map.groupBy(
  all.filter(({ command }) => command.options !== undefined),
  ({ command }) => command.help,
);

const optionsOf = (named: readonly Named[]): ReadonlySet<string> =>
  new Set(named.flatMap(({ command }) => command.options ?? []));

const optionsIn = (help: string): readonly string[] =>
  [...help.matchAll(/(?<![\w-])--([a-z][a-z-]*[a-z])/g)].map(([, name = ""]) => name);

it("a help text names every option of its commands, and no option that neither they nor their topics have", () => {
  const faults = [...byHelp].flatMap(([help, ofHelp]) => {
    const { path } = ofHelp[0]!;
    const named = new Set(optionsIn(help).filter((name) => name !== "help"));
    const below = optionsOf(all.filter((one) => one.path === path || one.path.startsWith(`${path} `)));
    const missing = optionsOf(ofHelp).difference(named);
    return [...missing, ...named.difference(below)].map((name) => `idem ${path} --help: --${name}`);
  });
  expect(faults).toEqual([]);
  expect(byHelp.size).toBeGreaterThan(20);
});
