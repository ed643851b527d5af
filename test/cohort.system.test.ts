import { copyFile, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readOwnCohort } from "#app/cohort";
import { bundledRecogniser } from "#app/recogniser";
import { packCohort } from "#judging/face/matching/cohort";
import { readConfig } from "#machine/config/config";
import { readCohort } from "#support/face/images";
import { drawWithoutFace, readGroup } from "./harness/images.ts";
import { drawImpostors } from "./harness/impostors.ts";
import { runIdem } from "./harness/run-idem.ts";
import { type Run } from "./harness/service.ts";

const isLong = process.env["LONG_TESTS"] === "1";
/**
 * After the removal of similar faces enough for a cohort; with LONG_TESTS=1 also for the false-match rates of
 * its scores.
 */
const [imagesDrawn, peopleMin] = isLong ? [450, 350] : [270, 200];
const rates = isLong ? [0.3, 0.1, 0.03, 0.01] : undefined;

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "idem-cohort-"));
  for (const [i, image] of (await drawImpostors(imagesDrawn)).entries()) {
    const folder = join(home, "images", String(i % 2));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${i}.jpg`), image);
  }
  await writeFile(join(home, "images", "crowd.jpg"), await readGroup());
});
afterAll(() => rm(home, { recursive: true }));

const build = (images: string, out: string): Promise<Run> =>
  runIdem(["cohort", "build", "--images", join(home, images), "--out", join(home, out)]);

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1]);

describe("idem cohort build", () => {
  it("builds a cohort from the people in the images, with the false-match rates of its scores", async () => {
    const { code, stdout, stderr } = await build("images", "own.bin");
    expect(stderr).toContain("Left out, more than one face: 1 (crowd.jpg)\n");
    expect(stderr).toMatch(/^Left out, second images of a person: \d+ \([01]\/\d+\.jpg, .* and \d+ more\)$/m);
    expect(stderr).toContain(`${imagesDrawn + 1} images, `);
    const people = numberIn(stderr, /^(\d+) people$/m);
    expect(people).toBeGreaterThanOrEqual(peopleMin);
    expect(people).toBeLessThan(imagesDrawn);
    expect(stderr.includes("that takes 350 people")).toBe(!isLong);
    expect(code).toBe(0);
    const out = join(home, "own.bin");
    expect(stdout).toBe(`IDEM_FACE_COHORT=${out}\n`);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    const own = await readOwnCohort(readConfig({ IDEM_FACE_COHORT: out }));
    expect(own?.faces).toHaveLength(numberIn(stderr, /^(\d+) blends/m));
    expect(stderr).toContain(own!.hash);
    const doctor = await runIdem(["doctor"], { IDEM_FACE_COHORT: out, IDEM_DATA: join(home, "data") });
    const name = `cohort/${own!.hash.slice(0, 8)}`;
    const curve = isLong ? "error as counted with it" : "error as beside the bundled one";
    expect(doctor.stdout).toContain(`face cohort     ${name} (${out}; ${curve})`);
    expect(own?.points?.map(({ falseMatchRate }) => falseMatchRate)).toEqual(rates);
  });

  it("is named by the doctor with the false-match rates of its scores", async () => {
    const [face, ...others] = readCohort().faces;
    const points = [
      { falseMatchRate: 0.3, value: 1 },
      { falseMatchRate: 0.01, value: 2 },
    ];
    const out = join(home, "points.bin");
    await writeFile(
      out,
      packCohort({ recogniser: bundledRecogniser(), faces: [face!, ...others.slice(0, 3)], points }),
    );
    const own = await readOwnCohort(readConfig({ IDEM_FACE_COHORT: out }));
    expect(own).toMatchObject({ points });
    const { stdout } = await runIdem(["doctor"], { IDEM_FACE_COHORT: out, IDEM_DATA: join(home, "data") });
    const name = `cohort/${own!.hash.slice(0, 8)}`;
    expect(stdout).toContain(`face cohort     ${name} (${out}; error as counted with it)`);
    expect(stdout).toMatch(/ok +clearing +tokens need the assurance interface/);
    const strict = await runIdem(["doctor"], {
      IDEM_FACE_COHORT: out,
      IDEM_CLEARING_ASSURANCE: "strict",
      IDEM_DATA: join(home, "data"),
    });
    expect(strict.stdout).toMatch(
      /RED +clearing +IDEM_CLEARING_ASSURANCE=strict refuses every clearing token/,
    );
  });

  it("writes nothing for too few people, and prints how many are needed and which images were left out", async () => {
    await mkdir(join(home, "few"));
    await copyFile(join(home, "images", "0", "0.jpg"), join(home, "few", "one.jpg"));
    await writeFile(join(home, "few", "nobody.jpg"), await drawWithoutFace());
    for (let i = 0; i < 7; i++) await writeFile(join(home, "few", `text-${i}.png`), "no picture");
    await symlink("one.jpg", join(home, "few", "linked.jpg"));
    await symlink("few", join(home, "link"));
    const { code, stdout, stderr } = await build("link", "few.bin");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("Left out, links, which are not followed: 1 (linked.jpg)\n");
    const names = Array.from({ length: 5 }, (_, i) => `text-${i}.png`).join(", ");
    expect(stderr).toContain(`Left out, cannot be read or too small: 7 (${names} and 2 more)\n`);
    expect(stderr).toContain("Left out, no face: 1 (nobody.jpg)\n");
    expect(stderr).toContain("9 images, 1 faces\n");
    expect(stderr).toContain("fewer than 200 grown people");
    expect(await readdir(home)).not.toContain("few.bin");
  });

  it("names a missing folder", async () => {
    const { code, stderr } = await build("nowhere", "none.bin");
    expect(code).toBe(1);
    expect(stderr).toContain("nowhere cannot be read. Name a folder of images.");
  });
});
