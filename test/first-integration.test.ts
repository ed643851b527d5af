import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { drawCases } from "./harness/pictures.ts";
import { makeHouse } from "./harness/service.ts";

const house = await makeHouse();
const folder = await mkdtemp(join(tmpdir(), "idem-guide-"));
afterAll(async () => {
  await house.clear();
  await rm(folder, { recursive: true });
});

/** The fenced blocks of one language, joined as a reader runs them. */
const blocksOf = (guide: string, language: string): string =>
  [...guide.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter(([, found]) => found === language)
    .map(([, , text]) => text)
    .join("");

it("the first-integration guide works as written", { timeout: 240_000 }, async () => {
  const guide = await readFile(new URL("../docs/guides/first-integration.md", import.meta.url), "utf8");
  const { genuine } = await drawCases();
  await writeFile(join(folder, "document.jpg"), genuine!.document);
  await writeFile(join(folder, "selfie.jpg"), genuine!.selfie);
  await writeFile(join(folder, "onboard.mjs"), blocksOf(guide, "js"));
  const service = await house.start();
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", blocksOf(guide, "sh")], {
    cwd: folder,
    env: {
      CALL_URL: service.url,
      CALL_KEY: service.apiKey,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`,
    },
  });
  expect(stdout).toContain('{"status":"ready","hindrances":[]}');
  expect(stdout).toMatch(
    /^face Positive 0\.\d+\nliveness Live\noutcome approved\ndocument 9001 Approved null\napproved true$/m,
  );
  expect(stdout).toContain('"status":"DONE"');
  expect(stdout).toContain('"code":9001');
  expect(stdout).toMatch(/^read PASSPORT null F12345678 MUÑOZ PRUEBA$/m);
  expect(stdout).toMatch(/^diagnosis Credible \[\] pictures good enough: true$/m);
});
