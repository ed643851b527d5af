import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandError } from "../command.ts";
import { writeOutFile } from "./write-out-file.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-out-"));
  file = join(folder, "out.pdf");
});
afterEach(() => rm(folder, { recursive: true }));

describe("writeOutFile", () => {
  it("writes all parts, for the owner alone, and leaves nothing beside the file", async () => {
    const large = new Uint8Array(5_000_000).fill(7);
    await writeOutFile(file, [large, Uint8Array.of(1, 2)]);
    const written = await readFile(file);
    expect(written.equals(Buffer.concat([large, Uint8Array.of(1, 2)]))).toBe(true);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["out.pdf"]);
  });

  it("follows no link in the place of the unfinished file, and keeps the file that was there", async () => {
    await writeFile(file, "old");
    await writeFile(join(folder, "other"), "untouched");
    await symlink(join(folder, "other"), `${file}.partial`);
    await symlink(join(folder, "other"), `${file}.${process.pid}.part`);
    await expect(writeOutFile(file, [Uint8Array.of(1)])).rejects.toBeInstanceOf(CommandError);
    expect(await readFile(file, "utf8")).toBe("old");
    expect(await readFile(join(folder, "other"), "utf8")).toBe("untouched");
  });

  it("fails in words where the folder does not exist, or the name is a folder", async () => {
    await expect(writeOutFile(join(folder, "none", "out"), [])).rejects.toBeInstanceOf(CommandError);
    await expect(writeOutFile(folder, [Uint8Array.of(1)])).rejects.toBeInstanceOf(CommandError);
    expect(await readdir(folder)).toEqual([]);
  });
});
