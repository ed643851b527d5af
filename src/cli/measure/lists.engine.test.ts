import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeMeasuring } from "#app/evaluation";
import { describeFaces } from "#evaluation/faces/describe-faces";
import { reportFaces } from "#evaluation/faces/measure";
import { reportGroups } from "#evaluation/faces/measure-groups";
import { similarityOf } from "#judging/face/matching/calibration";
import { readConfig } from "#machine/config/config";
import { progressInto } from "#support/cli/progress-into";
import { CommandError } from "../command.ts";
import { readList, readListText } from "../kit/list-file.ts";
import { measureFaces } from "../kit/measuring/faces.ts";
import { measureLiveness } from "./liveness.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-lists-"));
  await writeFile(join(folder, "a.jpg"), "");
});
/** The engine opens with the first image; a refused list never opens it. */
const measuring = makeMeasuring(readConfig({}));
afterAll(async () => {
  await measuring.close();
  await rm(folder, { recursive: true, force: true });
});

const voices = { out: () => undefined, progress: progressInto([]) };

const write = async (...lines: readonly string[]): Promise<string> => {
  const list = join(folder, "list.csv");
  await writeFile(list, `${lines.join("\n")}\n`);
  return list;
};

describe("a list of pairs", () => {
  it.each(["yes", "no", "2", "same", "-1", "1.0", "constructor"])(
    "is refused with its line where same is %j",
    async (same) => {
      const list = await write("image_a,image_b,same", "a.jpg,a.jpg,1", "", `a.jpg,a.jpg,${same}`);
      const refusal = measureFaces(["--pairs", list], { ...measuring.faces, ...voices });
      await expect(refusal).rejects.toThrow(CommandError);
      await expect(refusal).rejects.toThrow(`Line 4 of ${list} has "${same}" as same`);
    },
  );
});

it("a list that is not UTF-8 is refused with its line; only the CSV message mentions Excel", async () => {
  const list = join(folder, "latin1.csv");
  await writeFile(list, Buffer.from("path,label\ncédula.jpg,live\n", "latin1"));
  const wrong = `The list ${list}: line 2 is not UTF-8. Save the file as UTF-8`;
  await expect(readList(list, ["path"])).rejects.toThrow(`${wrong} (Excel: Save As, "CSV UTF-8").`);
  await expect(readListText(list)).rejects.toThrow(`${wrong}.`);
});

describe("the images of a list", () => {
  it("are all checked before the first is measured", async () => {
    const list = await write("path,person", "a.jpg,x", ...Array.from({ length: 7 }, (_, i) => `${i}.jpg,x`));
    const refusal = measureFaces(["--identities", list], { ...measuring.faces, ...voices });
    await expect(refusal).rejects.toThrow(`Line 3 of ${list} names ${folder}/0.jpg, which does not exist.`);
    await expect(refusal).rejects.toThrow("And 2 more.");
  });

  it("are resolved under the list's own folder, --root, or --groups-root for group images", async () => {
    await mkdir(join(folder, "people"));
    await writeFile(join(folder, "people", "p.jpg"), "");
    const list = await write("path,person", "p.jpg,x", "p.jpg,y");
    const groups = join(folder, "groups.csv");
    await writeFile(groups, "path,group\na.jpg,one\n");
    const deps = { ...measuring.faces, ...voices };
    const words = ["--identities", list, "--groups", groups, "--root", join(folder, "people")];
    await expect(measureFaces(words, deps)).rejects.toThrow(`names ${folder}/people/a.jpg, which does not`);
    expect(await measureFaces([...words, "--groups-root", folder], deps)).toBe(0);
    const lacking = ["--identities", list, "--groups-root", folder];
    await expect(measureFaces(lacking, deps)).rejects.toThrow("--groups-root goes with --groups");
  });

  it("are named with the folder where a path is one", async () => {
    const list = await write("path,label", ".,live");
    const refusal = measureLiveness(["--labels", list], { ...measuring.liveness, ...voices });
    await expect(refusal).rejects.toThrow("is not a file");
  });

  it("are not measured where the report cannot be written", async () => {
    const list = await write("path,label", "a.jpg,live");
    const words = ["--labels", list, "--json", join(folder, "nowhere/figures.json")];
    const refusal = measureLiveness(words, { ...measuring.liveness, ...voices });
    await expect(refusal).rejects.toThrow("--json");
  });
});

it("images without a liveness judgement are counted, and the first are named", {
  timeout: 120_000,
}, async () => {
  const names = Array.from({ length: 7 }, (_, i) => `text-${i}.jpg`);
  for (const name of names) await writeFile(join(folder, name), "no picture");
  const list = await write("path,label", ...names.map((name) => `${name},live`));
  const progress: string[] = [];
  const deps = { ...measuring.liveness, ...voices, progress: progressInto(progress) };
  expect(await measureLiveness(["--labels", list], deps)).toBe(0);
  expect(progress).toContain(
    `Counted, but cannot be read or too small: 7 (${names.slice(0, 5).join(", ")} and 2 more)`,
  );
});

describe("a list", () => {
  it("keeps the first line of each row, also after quoted line breaks", async () => {
    const list = await write("path,note", 'a,"two\nlines"', "", "b,x");
    const rows = await readList(list, ["path"]);
    expect(rows.map(({ line, cells }) => [line, cells["path"]])).toEqual([
      [2, "a"],
      [5, "b"],
    ]);
  });

  it.each([
    ["path", "lacks the column label"],
    ["path,label\na.jpg,alive", 'Line 2 of LIST has the label "alive"'],
    ["path,label\na.jpg", "Line 2 of LIST has no label"],
    ['path,label\na.jpg,"live', "Line 2 of LIST has a quote that is not closed"],
  ])("is refused with a clear message: %j", async (text, words) => {
    const list = await write(text);
    const refusal = measureLiveness(["--labels", list], { ...measuring.liveness, ...voices });
    await expect(refusal).rejects.toThrow(words.replace("LIST", list));
  });
});

describe("the figures of faces", () => {
  it("name the cohort used, in text and in JSON", async () => {
    const list = await write("image_a,image_b,same", "a.jpg,a.jpg,1");
    const json = join(folder, "figures.json");
    const out: string[] = [];
    const deps = { ...measuring.faces, ...voices, out: (line: string) => void out.push(line) };
    await measureFaces(["--pairs", list, "--json", json], deps);
    expect(out).toContain("face cohort         the bundled one");
    expect(JSON.parse(await readFile(json, "utf8"))).toMatchObject({ cohort: "the bundled one" });
  });

  it("state how many impostor pairs a rate needs where there are too few", () => {
    const impostor = Float64Array.from({ length: 1500 }, (_, i) => i / 1500);
    const genuine = Float64Array.of(3, 4);
    const report = reportFaces({ genuine, impostor, pictures: 60, failuresToEnrol: 0, threshold: 3.48 });
    const lines = describeFaces({ ...report, cohort: "" }, similarityOf).filter((line) =>
      line.startsWith("FNMR at"),
    );
    expect(lines.slice(0, 3).every((line) => line.includes("95 %"))).toBe(true);
    expect(lines[3]).toMatch(/^FNMR at FMR 1e-4 +needs 10,000 impostor pairs$/);
  });

  it.each([
    [150, /^TAR, worst group +100\.00 % at its FMR 1e-2, - at 1e-3$/],
    [50, /^TAR, worst group +- at its FMR 1e-2, - at 1e-3$/],
  ])("name no worst group while a group has too few pairs: %d", (few, words) => {
    const impostor = Float64Array.from({ length: 1500 }, (_, i) => i / 1500);
    const genuine = Float64Array.of(3, 4);
    const within = new Map([
      ["A", impostor],
      ["B", impostor.slice(0, few)],
    ]);
    const report = {
      ...reportFaces({ genuine, impostor, pictures: 60, failuresToEnrol: 0, threshold: 3.48 }),
      ...reportGroups({ genuine, impostor, within, threshold: 3.48 }),
    };
    expect(describeFaces({ ...report, cohort: "" }, similarityOf).at(-1)).toMatch(words);
  });
});
