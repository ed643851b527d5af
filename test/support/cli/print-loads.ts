/**
 * Prints the help of every command and topic on stdout, and at the end on stderr what each of them loaded
 * first: a JSON object with the addresses of modules by the words of the command. It needs a process in which
 * nothing is loaded.
 */
import { registerHooks } from "node:module";
import type { ListedCommand } from "#cli/command";

const loaded: string[] = [];
registerHooks({
  load: (url, context, next) => {
    loaded.push(url);
    return next(url, context);
  },
});

const { commands } = await import("#cli/commands");
const { runCommand } = await import("#cli/run");

const loads: Record<string, readonly string[]> = {};

const printHelp = async (words: readonly string[], load: ListedCommand["load"]): Promise<void> => {
  await runCommand([...words, "--help"]);
  loads[words.join(" ")] = loaded.splice(0);
  const { topics = {} } = await load();
  for (const [name, topic] of Object.entries(topics)) await printHelp([...words, name], topic);
};

for (const [name, { load }] of Object.entries(commands)) await printHelp([name], load);
process.stderr.write(JSON.stringify(loads));
