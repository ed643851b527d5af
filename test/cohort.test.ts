import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readConfig } from "../src/config.ts";
import { readOwnCohort } from "../src/open-cohort.ts";
import { readGroup } from "./harness/pictures.ts";
import { type Run, runIdem } from "./harness/service.ts";
import { drawStrangers } from "./harness/strangers.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** Enough for 350 people once those that look alike are left out. */
const picturesDrawn = 450;

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "idem-cohort-"));
  for (const [i, picture] of (await drawStrangers(picturesDrawn)).entries()) {
    const folder = join(home, "pictures", String(i % 2));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${i}.jpg`), picture);
  }
  await writeFile(join(home, "pictures", "crowd.jpg"), await readGroup());
});
afterAll(() => rm(home, { recursive: true }));

const build = (images: string, out: string): Promise<Run> =>
  runIdem(["cohort", "build", "--images", join(home, images), "--out", join(home, out)]);

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1]);

describe("idem cohort build", () => {
  it("makes a cohort of the people on the pictures, which says what its scores are worth", async () => {
    const { code, stdout, stderr } = await build("pictures", "own.bin");
    expect(stderr).toContain("Pictures with more than one face, left out: 1");
    expect(stderr).toContain(`${picturesDrawn + 1} pictures, `);
    const people = numberIn(stderr, /^(\d+) people; left out:/m);
    expect(people).toBeGreaterThanOrEqual(350);
    expect(people).toBeLessThan(picturesDrawn);
    expect(code).toBe(0);
    const out = join(home, "own.bin");
    expect(stdout).toBe(`IDEM_FACE_COHORT=${out}\n`);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    const own = await readOwnCohort(readConfig({ IDEM_FACE_COHORT: out }));
    expect(own?.faces).toHaveLength(numberIn(stderr, /^(\d+) blends/m));
    expect(stderr).toContain(own!.hash);
    expect(own?.points?.map(({ falseMatchRate }) => falseMatchRate)).toEqual([0.3, 0.1, 0.03, 0.01]);
  });

  it("writes nothing for a handful of people, and says how many it takes", async () => {
    await mkdir(join(home, "few"));
    await writeFile(join(home, "few", "one.jpg"), (await drawStrangers(1))[0]!);
    const { code, stdout, stderr } = await build("few", "few.bin");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("fewer than 200 grown people");
    expect(await readdir(home)).not.toContain("few.bin");
  });

  it("names a folder that is not there", async () => {
    const { code, stderr } = await build("nowhere", "none.bin");
    expect(code).toBe(1);
    expect(stderr).toContain("nowhere cannot be read. Name a folder of pictures.");
  });
});
