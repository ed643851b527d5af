import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { program, type Run } from "./harness/service.ts";

const launcher = fileURLToPath(new URL("../idem", import.meta.url));

let home: string;
/** A clone with the launcher alone, and a folder of the PATH. */
let clone: string;
let path: string;
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "idem-launcher-")));
  [clone, path] = [join(home, "a clone"), join(home, "path")];
  await mkdir(join(clone, "node_modules", ".bin"), { recursive: true });
  await mkdir(join(clone, "node_modules", "typebox"));
  await mkdir(path);
  for (const tool of ["readlink", "dirname"]) await symlink(`/usr/bin/${tool}`, join(path, tool));
  await copyFile(launcher, join(clone, "idem"));
});
afterEach(() => rm(home, { recursive: true }));

/** A `node` that prints its version, or its arguments and its folder. */
const writeNode = async (file: string, version: string): Promise<void> => {
  const script = `#!/bin/sh\nif [ "$1" = --version ]; then echo ${version}; else printf '%s|' "$@"; pwd; fi\n`;
  await writeFile(file, script);
  await chmod(file, 0o755);
};

const run = (file: string, args: readonly string[] = ["a b", "--c"]): Promise<Run> =>
  runShell([file, ...args], home);

const runShell = (args: readonly string[], cwd: string): Promise<Run> =>
  new Promise((resolve) => {
    execFile("/bin/sh", args, { cwd, env: { PATH: path } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });

describe("npm start, npm run demo, npm run idem and npm run bench", () => {
  it.each([
    ["start", "serve|"],
    ["demo", "demo|"],
    ["idem", ""],
    ["bench", "bench|"],
  ] as const)("%s runs ./idem in its own process, which checks Node first", async (name, words) => {
    const { scripts } = manifest;
    expect(scripts[name]).toMatch(/^exec /);
    const script = (): Promise<Run> => runShell(["-c", `${scripts[name]} "$@"`, "sh", "--help"], clone);
    await writeNode(join(path, "node"), "v20.20.1");
    expect(await script()).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^Node 22\.18/),
    });
    await writeNode(join(path, "node"), "v22.18.0");
    expect(await script()).toEqual({
      code: 0,
      stdout: `${clone}/src/cli/idem.ts|${words}--help|${clone}\n`,
      stderr: "",
    });
  });
});

describe("./idem", () => {
  it.each(["v22.18.0", "v22.20.1", "v24.0.0"])(
    "runs the commands on Node %s, in the folder of the caller",
    async (version) => {
      await writeNode(join(path, "node"), version);
      expect(await run(join(clone, "idem"))).toEqual({
        code: 0,
        stdout: `${clone}/src/cli/idem.ts|a b|--c|${home}\n`,
        stderr: "",
      });
    },
  );

  it.each([
    ["v20.20.1", "20.20"],
    ["v22.17.9", "22.17"],
    ["v8.0.0", "8.0"],
  ])("refuses Node %s before anything else", async (version, shown) => {
    await writeNode(join(path, "node"), version);
    const { code, stdout, stderr } = await run(join(clone, "idem"));
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(new RegExp(`^Node 22\\.18 or later; this is ${shown}\\.\n`));
  });

  it("prefers the Node of the packages, and takes that of the system where it does not run", async () => {
    await writeNode(join(path, "node"), "v20.20.1");
    await writeNode(join(clone, "node_modules/.bin/node"), "v24.1.0");
    expect((await run(join(clone, "idem"))).code).toBe(0);
    await writeFile(join(clone, "node_modules/.bin/node"), "\u007fELF of another machine");
    expect((await run(join(clone, "idem"))).stderr).toContain("this is 20.20");
  });

  it("says that there is no Node, and that the packages are missing", async () => {
    expect((await run(join(clone, "idem"))).stderr).toMatch(
      /^Node 22\.18 or later; there is none on the PATH\.\n/,
    );
    await writeNode(join(path, "node"), "v24.1.0");
    await rm(join(clone, "node_modules"), { recursive: true });
    const { code, stderr } = await run(join(clone, "idem"));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `The packages are not installed. Run this once: cd ${clone} && npm ci\n`,
    });
  });

  it("works through links, relative ones and chains", async () => {
    await writeNode(join(path, "node"), "v24.1.0");
    await symlink("../../idem", join(clone, "node_modules/.bin/idem"));
    await symlink(join(clone, "node_modules/.bin/idem"), join(home, "linked"));
    expect((await run(join(home, "linked"))).stdout).toContain(`${clone}/src/cli/idem.ts|`);
  });
});

it("idem help loads the list of commands and no command", async () => {
  const hook = join(home, "hook.mjs");
  await writeFile(
    hook,
    `import { registerHooks } from "node:module";
     registerHooks({ load: (url, context, next) => { process.stderr.write(url + "\\n"); return next(url, context); } });`,
  );
  const words = ["--import", pathToFileURL(hook).href, program, "help"];
  const { stderr } = await promisify(execFile)(process.execPath, words);
  const loaded = stderr.trim().split("\n");
  const files = loaded.filter((url) => url.startsWith("file:")).map((url) => url.replace(/^.*\/src\//, ""));
  expect(files.toSorted()).toEqual([
    "cli/command.ts",
    "cli/commands.ts",
    "cli/idem.ts",
    "cli/run.ts",
    "cli/start-flags.ts",
    "machine/config/messages.ts",
  ]);
});
