import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { drawCases } from "./harness/images.ts";
import { openTenant, type Tenant } from "./harness/tenant.ts";

const folder = await mkdtemp(join(tmpdir(), "idem-guide-"));
afterAll(async () => {
  await rm(folder, { recursive: true });
});

let service: Tenant;
beforeAll(async () => {
  const { genuine } = await drawCases();
  await writeFile(join(folder, "document.jpg"), genuine!.document);
  await writeFile(join(folder, "selfie.jpg"), genuine!.selfie);
  service = await openTenant();
});

/** The fenced code blocks of one language in a guide, joined as a reader runs them. */
const blocksOf = async (guide: string, language: string): Promise<string> => {
  const text = await readFile(new URL(`../docs/guides/${guide}`, import.meta.url), "utf8");
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter(([, found]) => found === language)
    .map(([, , block]) => block)
    .join("");
};

/** Runs a script in the folder of the guide's reader and returns its output. */
const runShell = async (script: string, env: NodeJS.ProcessEnv = {}): Promise<string> => {
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`;
  const words = ["-euo", "pipefail", "-c", script];
  return (await promisify(execFile)("bash", words, { cwd: folder, env: { ...env, PATH } })).stdout;
};

/** Runs the shell blocks of a guide against the service. */
const runGuide = async (guide: string): Promise<string> =>
  await runShell(await blocksOf(guide, "sh"), { CALL_URL: service.url, CALL_KEY: service.apiKey });

it("the first-integration guide works as written", async () => {
  await writeFile(join(folder, "onboard.mjs"), await blocksOf("start/first-integration.md", "js"));
  const stdout = await runGuide("start/first-integration.md");
  expect(stdout).toContain('{"status":"ready","hindrances":[]}');
  expect(stdout).toMatch(
    /^face Positive 0\.\d+\nliveness Live\noutcome approved\ndocument 9001 Approved null\napproved true$/m,
  );
  expect(await readFile(join(folder, "pair-answer.json"), "utf8")).toContain('"outcome":"approved"');
  expect(stdout).toContain('"status":"DONE"');
  expect(stdout).toContain('"code":9001');
  expect(stdout).toMatch(/^read PASSPORT null F12345678 MUÑOZ PRUEBA$/m);
  expect(stdout).toMatch(/^diagnosis Credible \[\] images good enough: true$/m);
});

it("the calls of the registered-users guide work as written", async () => {
  expect(await runGuide("integrate/registered-users.md")).toBe(
    "enrolled 0 approved true\nauthenticated 0 approved\n",
  );
});

it("the calls of the retries guide work as written", async () => {
  await writeFile(join(folder, "retry.mjs"), await blocksOf("integrate/retries.md", "js"));
  expect(await runGuide("integrate/retries.md")).toMatch(
    /^idempotent-replayed: true\r?\nanswered 200 \{.*"scanReference":/i,
  );
});

it("the calls of the verifications guide work as written", async () => {
  expect(await runGuide("integrate/verifications.md")).toBe(
    "verified approved  none\nPositive Live Approved MUÑOZ PRUEBA\nage yes date\n",
  );
});

it("the guide's field reader accepts an answer without any corroborated value", async () => {
  const serviceDocument = JSON.stringify({ SUBTYPE: "PASSPORT", DOC_MODEL: null, FIELDS: {} });
  await writeFile(join(folder, "fields.json"), JSON.stringify({ serviceDocument }));
  const blocks = await blocksOf("start/first-integration.md", "sh");
  const [reader = ""] = /^node -e '[^']*fields\.json[^']*'$/m.exec(blocks) ?? [];
  expect(await runShell(reader)).toBe("read PASSPORT null null null\n");
});
