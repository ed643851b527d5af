import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPrivate, listOpenFiles, openDataDirectory } from "./data-directory.ts";

const holder = new URL("../../../test/support/storage/hold-data-directory.ts", import.meta.url).pathname;

describe("the data directory", () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "idem-data-"));
    path = join(folder, "deep", "data");
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("is created for its owner alone and can be opened again after its release", async () => {
    const first = await openDataDirectory(path);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    first.release();
    (await openDataDirectory(path)).release();
  });

  it("takes the rights of others from the files in it, and gives them none on new ones", async () => {
    (await openDataDirectory(path)).release();
    const store = join(path, "idem.sqlite");
    await writeFile(store, "", { mode: 0o644 });
    await chmod(store, 0o644);
    await chmod(join(path, "lock.sqlite"), 0o664);
    await mkdir(join(path, "blobs"), { mode: 0o755 });
    (await openDataDirectory(path)).release();
    await createPrivate(join(path, "new.sqlite"));
    const files = (await readdir(path, { withFileTypes: true })).filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name).sort()).toEqual([
      "idem.sqlite",
      "lock.pid",
      "lock.sqlite",
      "new.sqlite",
    ]);
    for (const { name } of files) expect((await stat(join(path, name))).mode & 0o777, name).toBe(0o600);
    expect(await listOpenFiles(path)).toEqual([]);
  });

  it.each([0o750, 0o705, 0o701])("is refused with mode %o, and the error names the remedy", async (mode) => {
    (await openDataDirectory(path)).release();
    await chmod(path, mode);
    await expect(openDataDirectory(path)).rejects.toThrow(`Run: chmod 700 '${path}'`);
  });

  it("is refused without advice on rights where it holds files of others", async () => {
    await mkdir(path, { recursive: true });
    await chmod(path, 0o755);
    await expect(openDataDirectory(path)).rejects.toThrow(`Run: chmod 700 '${path}'`);
    await writeFile(join(path, "thesis.txt"), "");
    const refusal = openDataDirectory(path).catch((error: Error) => error.message);
    expect(await refusal).toMatch(/set IDEM_DATA to a directory of its own\.$/);
    expect(await refusal).not.toContain("chmod");
    expect(await readdir(path)).toEqual(["thesis.txt"]);
  });

  it("is refused twice within one process", async () => {
    const first = await openDataDirectory(path);
    await expect(openDataDirectory(path)).rejects.toThrow(`in use by process ${process.pid}`);
    first.release();
  });

  it("is refused, with the process named, while another process holds it, and is free once that process is killed", async () => {
    const child = spawn(process.execPath, [holder, path], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    await expect(openDataDirectory(path)).rejects.toThrow(`in use by process ${child.pid}`);
    child.kill("SIGKILL");
    await once(child, "exit");
    (await openDataDirectory(path)).release();
  });
});
