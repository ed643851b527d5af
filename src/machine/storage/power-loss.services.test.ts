// Needs root on Linux, with loop devices, ext4 and perl: it mounts its own file system and cuts its power.
import { execFileSync } from "node:child_process";
import { chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectWhole, findLost, writeUntilKilled } from "#support/storage/killed-writer";
import { openDataDirectory } from "./data-directory.ts";

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { encoding: "utf8" });

/**
 * EXT4_IOC_SHUTDOWN with NOLOGFLUSH, as xfstests does: from this moment no byte reaches the disk, and
 * unflushed data is lost. This does not detect a disk that reports false flushes of its own cache.
 */
const pullPlug = (mount: string): void => {
  const program =
    'open(my $f, "<", $ARGV[0]) or die $!; my $flag = pack("L", 2); ioctl($f, 0x8004587D, $flag) or die $!';
  run("perl", "-e", program, mount);
};

describe("a power loss", () => {
  let folder: string;
  let image: string;
  let mount: string;

  const attach = (): string => run("mount", "-o", "loop", image, mount);
  const detach = (): string => run("umount", mount);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "idem-power-"));
    [image, mount] = [join(folder, "disk.img"), join(folder, "disk")];
    await mkdir(mount);
    run("truncate", "-s", "256M", image);
    run("mkfs.ext4", "-q", image);
    attach();
  });
  afterEach(async () => {
    detach();
    await rm(folder, { recursive: true });
  });

  it("loses unflushed writes, otherwise this test would show nothing", async () => {
    const file = join(mount, "file");
    run("sh", "-c", `printf unflushed >${file}`);
    pullPlug(mount);
    detach();
    attach();
    expect(run("sh", "-c", `cat ${file} 2>/dev/null || true`)).toBe("");
  });

  it.each([1, 2, 3, 4, 5])("leaves every acknowledged write and no half of one (round %i)", async () => {
    const writes = await writeUntilKilled(mount, 200 + Math.random() * 800, () => pullPlug(mount));
    detach();
    attach();
    expect(writes.length).toBeGreaterThan(1);
    expect(await findLost(mount, writes)).toStrictEqual([]);
    expectWhole(mount);
  });
});

it("refuses a data directory that another user owns, and names the remedy", async () => {
  const folder = await mkdtemp(join(tmpdir(), "idem-owner-"));
  await chown(folder, 1, 1);
  await expect(openDataDirectory(folder)).rejects.toThrow("Run this as its user, daemon.");
  // An id that no user of this machine has.
  await chown(folder, 61_234, 61_234);
  await expect(openDataDirectory(folder)).rejects.toThrow("Run: chown -R 0 ");
  await rm(folder, { recursive: true });
});
