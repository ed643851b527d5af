import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeMeasuring } from "#app/evaluation";
import { readConfig } from "#machine/config/config";
import { readPersons } from "#sandbox/specimen/persons";
import { progressInto } from "#support/cli/progress-into";
import { measureAge } from "./age.ts";

let folder: string;
const measuring = makeMeasuring(readConfig({}));
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-ages-"));
  const { selfie, portrait, impostor } = await readPersons();
  for (const [name, bytes] of Object.entries({ selfie, portrait, impostor, none: "no image" })) {
    await writeFile(join(folder, `${name}.jpg`), bytes);
  }
});
afterAll(async () => {
  await measuring.close();
  await rm(folder, { recursive: true, force: true });
});

const measure = async (...rows: readonly string[]) => {
  const list = join(folder, "ages.csv");
  await writeFile(list, `${["path,age", ...rows].join("\n")}\n`);
  const [out, progress]: [string[], string[]] = [[], []];
  const json = join(folder, "ages.json");
  const code = await measureAge(["--ages", list, "--json", json], {
    ...measuring.age,
    out: (line) => out.push(line),
    progress: progressInto(progress),
  });
  return { code, out, progress, figures: JSON.parse(await readFile(json, "utf8")) };
};

describe("idem measure age", () => {
  it("estimates real faces, names images without one, and states n with every share", async () => {
    const run = await measure("selfie.jpg,35", "portrait.jpg,35", "impostor.jpg,50", "none.jpg,20");
    expect(run.code).toBe(0);
    expect(run.progress).toContain("Left out, no face: 1 (none.jpg)");
    expect(run.out[0]).toMatch(/^faces +3$/);
    expect(run.figures.n).toBe(3);
    expect(run.figures.error).toBeGreaterThan(0);
    expect(run.figures.error).toBeLessThan(40);
    const [first, second] = run.figures.coverage;
    expect(first.covered.n + first.without + second.covered.n + second.without).toBe(3);
  });

  it.each(["", "-1", "3.5", "121", "old"])("refuses the age %j with its line", async (age) => {
    await expect(measure("selfie.jpg,35", `portrait.jpg,${age}`)).rejects.toThrow(/^Line 3 of /);
  });
});
