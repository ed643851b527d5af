import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { commands } from "./commands.ts";
import { readCommandWords } from "./completion/command-words.ts";

const root = new URL("../../", import.meta.url);

/**
 * README, guides and other pages that name commands. Decisions may name former ones, and formats name texts
 * of their own.
 */
const pages = async (): Promise<readonly string[]> => {
  const inDocs = (await readdir(new URL("docs/", root), { recursive: true }))
    .filter((path) => path.endsWith(".md") && !/^(decisions|formats)\//.test(path))
    .map((path) => `docs/${path}`);
  return ["README.md", "CONTRIBUTING.md", ...inDocs];
};

type Written = { readonly page: string; readonly text: string };

/** The commands in the code of a page: of its blocks and of its inline code. */
const commandsOf = async (page: string): Promise<readonly Written[]> => {
  const text = await readFile(new URL(page, root), "utf8");
  const blocks = [...text.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, block = ""]) => block);
  const inline = [...text.replaceAll(/^```.*?^```$/gms, "").matchAll(/`([^`\n]+)`/g)].map(
    ([, code = ""]) => code,
  );
  return [...blocks, ...inline].flatMap((code) =>
    // `idem node`, `idem help`: the service of compose.yaml, and the overview.
    [...code.matchAll(/(?<=^|\s|\.\/)idem (?!node |help\b)([a-z][a-z-]+(?:[ \t][^\n#|<>&;`]*)?)/gm)].map(
      ([, words = ""]) => ({
        page,
        text: words.trim(),
      }),
    ),
  );
};

it("every command in the documents is known, with its action and options", async () => {
  const known = new Map((await readCommandWords(commands)).map((one) => [one.name, one]));
  const written = (await Promise.all((await pages()).map(commandsOf))).flat();
  const faults = written.flatMap(({ page, text }) => {
    const [name = "", ...rest] = text.split(/\s+/);
    const command = known.get(name);
    if (command === undefined) return [`${page}: idem ${text}: unknown command`];
    const [action] = rest;
    const isUnknown =
      command.actions.length > 0 &&
      action !== undefined &&
      /^[a-z][a-z-]*$/.test(action) &&
      !command.actions.includes(action);
    const options = rest
      .filter((word) => word.startsWith("--"))
      .map((word) => word.replace(/[=\]).,:].*$/, ""));
    return [
      ...(isUnknown ? [`${page}: idem ${text}: unknown action ${action}`] : []),
      ...options
        .filter((option) => option !== "--" && !command.options.includes(option))
        .map((option) => `${page}: idem ${text}: unknown option ${option}`),
    ];
  });
  expect(faults).toEqual([]);
  expect(written.length).toBeGreaterThan(200);
});
