/** Receivers in five languages against the samples: each genuine one passes, each changed one is refused. */
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const at = (path: string): string => fileURLToPath(new URL(`../examples/${path}`, import.meta.url));

type Language = {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** Answers when the runtime is installed. */
  readonly version: string;
};

const languages: readonly Language[] = [
  { name: "TypeScript", command: [process.execPath, at("verify/verify-event.ts")], version: "--version" },
  { name: "Python", command: ["python3", at("verify/verify_event.py")], version: "--version" },
  { name: "Java", command: ["java", at("verify/VerifyEvent.java")], version: "--version" },
  { name: "PHP", command: ["php", at("verify/verify_event.php")], version: "--version" },
  { name: "Go", command: ["go", "run", at("verify/verify_event.go")], version: "version" },
];

const isInstalled = ({ command: [program], version }: Language): boolean =>
  spawnSync(program, [version], { stdio: "ignore" }).status === 0;

let folder = "";
let genuine: readonly string[] = [];
let changed: readonly string[] = [];
let secret = "";
let now = 0;

const headersOf = (path: string): string => path.replace(/\.json$/u, ".headers");

const listSamples = async (): Promise<readonly string[]> => {
  const paths = await readdir(at("events"), { recursive: true });
  return paths.filter((path) => path.endsWith(".json")).map((path) => join(at("events"), path));
};

/** Changes of one delivery: its body, or its headers. Each must be refused. */
const changes: readonly ((body: string, headers: string) => readonly [body: string, headers: string])[] = [
  (body, headers) => [body.replace('"specversion":"1.0"', '"specversion":"1.1"'), headers],
  (body, headers) => [body.replace(/"sequence":"0/u, '"sequence":"1'), headers],
  (body, headers) => [body.replace(/"data":\{/u, '"data":{"a":1,'), headers],
  (body, headers) => [body.replace(/"signature":"./u, (text) => `${text.slice(0, -1)}*`), headers],
  (body, headers) => [body.replace(/"signature":"[^"]*",/u, ""), headers],
  (body, headers) => [`${body}\n`, headers],
  (body, headers) => [body, headers.replace(/v1,/gu, "v2,")],
  (body, headers) => [body, headers.replace(/webhook-id: ./u, (text) => `${text}0`)],
  (body, headers) => [body, headers.replace(/webhook-timestamp: \d+/u, (text) => `${text}0`)],
  (body, headers) => [body, headers.replace(/webhook-signature: .*\n/u, "")],
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-verify-"));
  secret = (await readFile(at("events/secret.txt"), "utf8")).trim();
  genuine = await listSamples();
  const times = await Promise.all(
    genuine.map(async (path) =>
      Number(/timestamp: (\d+)/u.exec(await readFile(headersOf(path), "utf8"))?.[1]),
    ),
  );
  now = Math.round((Math.min(...times) + Math.max(...times)) / 2);
  const written: string[] = [];
  for (const [index, path] of genuine.entries()) {
    const [body, headers] = await Promise.all([readFile(path, "utf8"), readFile(headersOf(path), "utf8")]);
    for (const [number, change] of changes.entries()) {
      const [otherBody, otherHeaders] = change(body, headers);
      expect([otherBody, otherHeaders], `change ${number}`).not.toEqual([body, headers]);
      const target = join(folder, `${index}-${number}.json`);
      await writeFile(target, otherBody);
      await writeFile(headersOf(target), otherHeaders);
      written.push(target);
    }
  }
  changed = written;
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** The lines and the exit code of a snippet. */
const run = ({ command: [program, ...args] }: Language, moment: number, paths: readonly string[]) =>
  new Promise<{ readonly code: number; readonly lines: readonly string[]; readonly errors: string }>(
    (resolve) => {
      const all = [...args, secret, String(moment), ...paths];
      const child = execFile(program, all, { maxBuffer: 2 ** 24 }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, lines: stdout.trim().split("\n"), errors: stderr }),
      );
    },
  );

describe.each(languages)("the receiver in $name", (language) => {
  const installed = isInstalled(language);
  const reason = `${language.command[0]} is not installed`;

  it("accepts every sample", async (context) => {
    context.skip(!installed, reason);
    const { code, lines, errors } = await run(language, now, genuine);
    expect([code, errors]).toEqual([0, ""]);
    expect(lines.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual(
      genuine.map((path) => `verified ${path}`),
    );
  });

  it("refuses every changed sample", async (context) => {
    context.skip(!installed, reason);
    const { code, lines, errors } = await run(language, now, changed);
    expect([code, errors.replace(/^exit status 1\n$/u, "")]).toEqual([1, ""]);
    expect(lines.map((line) => line.split(":")[0])).toEqual(changed.map((path) => `refused ${path}`));
  });

  it("refuses a delivery that is 301 seconds old or early", async (context) => {
    context.skip(!installed, reason);
    for (const path of genuine.slice(0, 1)) {
      const sent = Number(/timestamp: (\d+)/u.exec(await readFile(headersOf(path), "utf8"))?.[1]);
      for (const [moment, word] of [
        [sent - 301, "refused"],
        [sent - 300, "verified"],
        [sent + 300, "verified"],
        [sent + 301, "refused"],
      ] as const) {
        const { lines } = await run(language, moment, [path]);
        expect(lines[0]?.split(" ")[0], `${moment - sent} s`).toBe(word);
      }
    }
  });
});
