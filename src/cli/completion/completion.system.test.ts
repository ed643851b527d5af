import { execFileSync, spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { commands } from "../commands.ts";
import { type CommandWords, readCommandWords } from "./command-words.ts";
import { shells, writeCompletion } from "./scripts.ts";

let all: readonly CommandWords[];
beforeAll(async () => {
  all = await readCommandWords(commands);
}, 120_000);

const wordsOf = (name: string) => all.find((one) => one.name === name);

it("knows the actions and options of commands with topics, with verbs and with neither", () => {
  expect(wordsOf("keys")?.actions).toEqual(expect.arrayContaining(["create", "import", "list", "revoke"]));
  expect(wordsOf("keys")?.options).toEqual(expect.arrayContaining(["--tenant", "--scopes", "--help"]));
  expect(wordsOf("measure")?.actions).toEqual(expect.arrayContaining(["faces", "mrz", "document-attacks"]));
  expect(wordsOf("measure")?.options).toEqual(expect.arrayContaining(["--identities", "--vectors"]));
  expect(wordsOf("verify")?.actions).toEqual([]);
  expect(wordsOf("verify")?.options).toEqual(expect.arrayContaining(["--selfie", "--document", "--list"]));
});

it("every command has a help that begins with its usage", async () => {
  for (const [name, { load }] of Object.entries(commands)) {
    expect((await load()).help, name).toMatch(new RegExp(`^Usage: idem ${name}\\b`));
  }
});

describe("bash", () => {
  const complete = (...words: readonly string[]): readonly string[] => {
    const script = `${writeCompletion("bash", all)}
COMP_WORDS=(idem ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}; _idem; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split("\n");
  };

  it.each([
    [["ver"], ["verify", "verify-pdf"]],
    [["keys", "cr"], ["create"]],
    [["keys", "create", "--sc"], ["--scopes"]],
    [["verify", "--selfie", "a", "--do"], ["--document"]],
    [["verify", "imag"], [""]],
    [["unknown", "--x"], [""]],
  ])("completes %j to %j", (typed, found) => {
    expect(complete(...typed).toSorted()).toEqual(found);
  });
});

it.each(shells)(
  "the script for %s has every command, and the shell reads it where it is installed",
  (shell) => {
    const script = writeCompletion(shell, all);
    for (const { name, options } of all) {
      expect(script).toContain(name);
      for (const option of options) expect(script).toContain(option.slice(2));
    }
    const read = spawnSync(shell, ["-n"], { input: script, encoding: "utf8" });
    if (read.error === undefined) expect([read.status, read.stderr]).toEqual([0, ""]);
  },
);
