import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { drawCases } from "./harness/images.ts";
import { makeHarness } from "./harness/service.ts";

const harness = await makeHarness();
const folder = await mkdtemp(join(tmpdir(), "idem-guide-"));
afterAll(async () => {
  await harness.clear();
  await rm(folder, { recursive: true });
});

const guide = await readFile(new URL("../docs/guides/first-integration.md", import.meta.url), "utf8");

/** The fenced code blocks of one language, joined as a reader runs them. */
const blocksOf = (language: string): string =>
  [...guide.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter(([, found]) => found === language)
    .map(([, , text]) => text)
    .join("");

/** Runs a script in the folder of the guide's reader and returns its output. */
const runShell = async (script: string, env: NodeJS.ProcessEnv = {}): Promise<string> => {
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`;
  const words = ["-euo", "pipefail", "-c", script];
  return (await promisify(execFile)("bash", words, { cwd: folder, env: { ...env, PATH } })).stdout;
};

it("the first-integration guide works as written", { timeout: 240_000 }, async () => {
  const { genuine } = await drawCases();
  await writeFile(join(folder, "document.jpg"), genuine!.document);
  await writeFile(join(folder, "selfie.jpg"), genuine!.selfie);
  await writeFile(join(folder, "onboard.mjs"), blocksOf("js"));
  const service = await harness.start();
  const stdout = await runShell(blocksOf("sh"), { CALL_URL: service.url, CALL_KEY: service.apiKey });
  expect(stdout).toContain('{"status":"ready","hindrances":[]}');
  expect(stdout).toMatch(
    /^face Positive 0\.\d+\nliveness Live\noutcome approved\ndocument 9001 Approved null\napproved true$/m,
  );
  expect(stdout).toContain('"status":"DONE"');
  expect(stdout).toContain('"code":9001');
  expect(stdout).toMatch(/^read PASSPORT null F12345678 MUÑOZ PRUEBA$/m);
  expect(stdout).toMatch(/^diagnosis Credible \[\] images good enough: true$/m);
});

it("the guide's field reader accepts an answer without any corroborated value", async () => {
  const serviceDocument = JSON.stringify({ SUBTYPE: "PASSPORT", DOC_MODEL: null, FIELDS: {} });
  await writeFile(join(folder, "fields.json"), JSON.stringify({ serviceDocument }));
  const [reader = ""] = /^node -e '[^']*fields\.json[^']*'$/m.exec(blocksOf("sh")) ?? [];
  expect(await runShell(reader)).toBe("read PASSPORT null null null\n");
});
