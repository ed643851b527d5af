import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { expectWhole, findLost, writeUntilKilled } from "#support/storage/killed-writer";

const kills = 10;

it(`keeps every acknowledged write, and no partial write, over ${kills} kills at random moments`, async () => {
  const folder = await mkdtemp(join(tmpdir(), "idem-kill-"));
  const writes: Awaited<ReturnType<typeof writeUntilKilled>>[number][] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    writes.push(...(await writeUntilKilled(folder, Math.random() * 300)));
  }
  expect(writes.length).toBeGreaterThan(kills);
  expect(await findLost(folder, writes)).toStrictEqual([]);
  expectWhole(folder);
  await rm(folder, { recursive: true });
}, 180_000);
