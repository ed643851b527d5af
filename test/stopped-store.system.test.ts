import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { makeFirstTenant } from "./harness/first-tenant.ts";
import { persons } from "./harness/images.ts";
import { runIdem } from "./harness/run-idem.ts";

it("users and calls are in reach of the commands while no service runs", async () => {
  const folder = await mkdtemp(join(tmpdir(), "idem-stopped-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const directory = join(folder, "data");
  const idem = (...args: readonly string[]) => runIdem(args, { IDEM_DATA: directory });
  await makeFirstTenant({ IDEM_DATA: directory });

  const list = join(folder, "users.csv");
  await writeFile(join(folder, "face.jpg"), persons.portrait);
  await writeFile(list, "userId,image\nuser-1,face.jpg\n");
  const imported = await idem("users", "import", "--csv", list, "--environment", "test");
  expect(imported, imported.stderr).toMatchObject({ code: 0 });
  const show = async (): Promise<string> => (await idem("users", "show", "--user", "user-1")).stdout;
  expect(await show()).toMatch(/test\s+enabled\s+0\s/);

  const store = new Database(join(directory, "idem.sqlite"));
  store.prepare("update users set failures = 5").run();
  store.close();
  expect(await show()).toMatch(/test\s+enabled\s+5\s/);
  const enabled = await idem("users", "enable", "--user", "user-1");
  expect(enabled).toMatchObject({ code: 0, stderr: expect.stringContaining("Enabled the test user.") });
  expect(await show()).toMatch(/test\s+enabled\s+0\s/);

  const blocked = await idem("users", "block", "--user", "user-1");
  expect(blocked, blocked.stderr).toMatchObject({ code: 0 });
  const id = blocked.stdout.trim();
  expect((await idem("users", "blocked")).stdout).toContain(id);
  expect((await idem("users", "unblock", "--id", id)).code).toBe(0);
  expect((await idem("users", "unblock", "--id", id)).code).toBe(1);

  expect(await idem("replay")).toMatchObject({
    code: 0,
    stdout: "Nothing would change.\n",
    stderr: expect.stringContaining('1 calls of tenant "Test tenant", 0 of them judged again'),
  });
});
