import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { drawCases } from "./harness/images.ts";
import { environmentOf } from "./harness/service.ts";

const folder = await mkdtemp(join(tmpdir(), "idem-checks-"));
afterAll(() => rm(folder, { recursive: true }));

const run = async (script: string) => {
  const options = { cwd: folder, env: environmentOf({ IDEM_WORKERS: "1" }) };
  // Without --norc a bash whose input is a socket reads the machine's bashrc, and states its faults.
  return await promisify(execFile)("bash", ["--norc", "-euo", "pipefail", "-c", script], options);
};

it("the guide of local checks works as written", { timeout: 240_000 }, async () => {
  await symlink(fileURLToPath(new URL("../idem", import.meta.url)), join(folder, "idem"));
  const guide = await readFile(new URL("../docs/guides/start/local-checks.md", import.meta.url), "utf8");
  const blocks = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join("");
  // The images that the first block writes. The demo itself is a step of .ci/run.
  await mkdir(join(folder, "images"));
  for (const { name, selfie, document } of Object.values(await drawCases())) {
    await writeFile(join(folder, "images", `${name}-selfie.jpg`), selfie);
    await writeFile(join(folder, "images", `${name}-document.jpg`), document);
  }
  const { stdout } = await run(blocks.replace("./idem demo --exit --keep images\n", ""));
  expect(stdout).toMatch(/^Verification\n {2}decision +approved$/m);
  expect(stdout).toMatch(/^ {2}number +F12345678$/m);
  expect(stdout).toMatch(/^ {2}level of assurance +advisory$/m);
  expect(stdout).toMatch(/^wrongly approved +0\.0 % of 1 /m);
  expect(await readFile(join(folder, "answers.csv"), "utf8")).toMatch(/^3,[0-9a-f]{8},negative,rejected,,/m);
});

it("a reader that leaves ends a check without a word", { timeout: 120_000 }, async () => {
  const { genuine } = await drawCases();
  await writeFile(join(folder, "piped.jpg"), genuine!.selfie);
  const { stdout, stderr } = await run(
    'set +e +o pipefail; ./idem liveness piped.jpg | true; echo "${PIPESTATUS[0]}"',
  );
  expect([stdout, stderr]).toEqual(["141\n", ""]);
});

it("a missing image ends with 3, which is no answer, and without a stack", { timeout: 60_000 }, async () => {
  await expect(run("./idem compare none.jpg none.jpg")).rejects.toMatchObject({
    code: 3,
    stdout: "",
    stderr: "none.jpg cannot be read (ENOENT).\n",
  });
});
