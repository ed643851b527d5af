import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { demo } from "../demo/demo.command.ts";
import { personas } from "../personas/personas.command.ts";
import { makeDirectory } from "./make-directory.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-make-"));
});
afterEach(() => rm(folder, { recursive: true }));

it("makes every level, for the owner alone where that is asked, and takes what is there", async () => {
  const made = join(folder, "a", "b");
  await makeDirectory(made, 0o700);
  await makeDirectory(made, 0o700);
  expect((await stat(made)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, "a"))).mode & 0o777).toBe(0o700);
});

it("ends where the file system takes no directory, or a file stands above", async () => {
  await expect(makeDirectory("/proc/idem/images")).rejects.toMatchObject({ code: "ENOENT" });
  await writeFile(join(folder, "file"), "");
  await expect(makeDirectory(join(folder, "file", "images"))).rejects.toMatchObject({ code: "ENOTDIR" });
});

it.each(["/proc/idem", "/proc/idem/images"])(
  "a command refuses the folder %s before it draws or starts anything",
  async (out) => {
    await expect(demo.run(["--exit", "--keep", out])).rejects.toThrow(
      `--keep ${out} cannot be written (ENOENT).`,
    );
    await expect(personas.run(["download", "--out", out])).rejects.toMatchObject({ code: "ENOENT" });
  },
);
