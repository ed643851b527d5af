import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDataDirectory } from "./data-directory.ts";

const holder = new URL("./testing/hold-data-directory.ts", import.meta.url).pathname;

describe("the data directory", () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "idem-data-"));
    path = join(folder, "deep", "data");
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("is made for its owner alone and can be opened again after its release", async () => {
    const first = await openDataDirectory(path);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    first.release();
    (await openDataDirectory(path)).release();
  });

  it.each([0o750, 0o705, 0o701])("is refused with mode %o and the way to mend it", async (mode) => {
    (await openDataDirectory(path)).release();
    await chmod(path, mode);
    await expect(openDataDirectory(path)).rejects.toThrow(`chmod 700 ${path}`);
  });

  it("is refused twice within one process", async () => {
    const first = await openDataDirectory(path);
    await expect(openDataDirectory(path)).rejects.toThrow(`in use by process ${process.pid}`);
    first.release();
  });

  it("is refused while another process has it, which the error names, and free the moment that one is killed", async () => {
    const child = spawn(process.execPath, [holder, path], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    await expect(openDataDirectory(path)).rejects.toThrow(`in use by process ${child.pid}`);
    child.kill("SIGKILL");
    await once(child, "exit");
    (await openDataDirectory(path)).release();
  });
});
