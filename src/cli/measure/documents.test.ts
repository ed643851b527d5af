import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { summariseDocuments } from "#evaluation/documents/measure-reading";
import { progressInto } from "#support/cli/progress-into";
import { CommandError, UsageError } from "../command.ts";
import { measureDocuments } from "./documents.ts";

const lines = [
  "I<UTOD231458907<<<<<<<<<<<<<<<",
  "7408122F1204159UTO<<<<<<<<<<<6",
  "ERIKSSON<<ANNA<MARIA<<<<<<<<<<",
];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-measure-"));
  await writeFile(join(folder, "right.txt"), lines.join("\n"));
  await writeFile(join(folder, "wrong.txt"), ["X", ...lines.slice(1)].join("\n"));
  await writeFile(join(folder, "broken.txt"), "");
  const entries = ["right.txt", "wrong.txt", "broken.txt"].map((path) => ({ path, mrz_lines: lines }));
  await writeFile(
    join(folder, "index.json"),
    JSON.stringify([...entries, { path: "no.txt", mrz_lines: null }, { path: "none.txt", mrz_lines: [] }]),
  );
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

/** A reader of text files: the measurement does not depend on how lines are read. */
const read = async (bytes: Uint8Array) => {
  if (bytes.length === 0) {
    throw new Error("image_unreadable");
  }
  return { lines: new TextDecoder().decode(bytes).split("\n"), accepted: true };
};

/** One printed line for each line of the file. */
const readPrinted = async (bytes: Uint8Array) => new TextDecoder().decode(bytes).split("\n");

const run = async (...argv: string[]) => {
  const [out, progress]: [string[], string[]] = [[], []];
  const deps = {
    read,
    readPrinted,
    summarise: summariseDocuments,
    out: (line: string) => void out.push(line),
    progress: progressInto(progress),
  };
  return { code: await measureDocuments(argv, deps), out, progress };
};

describe("idem measure documents", () => {
  it("measures the images beside the list, reports progress, and writes the figures", async () => {
    const json = join(folder, "figures.json");
    const { code, out, progress } = await run("--index", join(folder, "index.json"), "--json", json);
    expect(code).toBe(0);
    expect(progress.at(-1)).toBe("3 of 3");
    expect(out.join("\n")).toContain("exact documents     1 of 3");
    const figures: unknown = JSON.parse(await readFile(json, "utf8"));
    expect(figures).toMatchObject({
      pictures: 5,
      mrz: { documents: 3, exactDocuments: 1, lines: 9, exactLines: 5, falseReads: 1 },
      fields: { n: 0 },
    });
  });

  it("counts a printed field when one line holds it, and leaves out fields without transcription", async () => {
    await writeFile(join(folder, "card.txt"), "Bovha\n22.O6.1960\nSVK");
    const list = join(folder, "fields.json");
    const expected_fields = {
      surname: "Bovha",
      name: "Ana",
      birth_date: "22.06.1960",
      nationality: "SVK",
      photo: "",
      names: ["A"],
    };
    const entries = [
      { path: "card.txt", expected_fields },
      { path: "card.txt", expected_fields, gt_kind: "vendor response" },
      { path: "card.txt", expected_fields: null },
    ];
    await writeFile(list, JSON.stringify(entries));
    const json = join(folder, "fields-figures.json");
    const { out } = await run("--index", list, "--json", json);
    expect(out.join("\n")).toContain("printed fields      3 of 4 exact, 75.0 %");
    expect(JSON.parse(await readFile(json, "utf8"))).toMatchObject({
      fields: { n: 4, exact: 3, byKind: { name: { n: 2, exact: 1 }, date: { n: 1, exact: 1 } } },
    });
  });

  it("accepts another root for paths", async () => {
    const list = join(folder, "other.json");
    await writeFile(list, JSON.stringify([{ path: "right.txt", mrz_lines: lines }]));
    const { out } = await run("--index", list, "--root", folder);
    expect(out.join("\n")).toContain("exact documents     1 of 1");
  });

  it("asks for a list and refuses unknown words", async () => {
    await expect(run()).rejects.toThrow(UsageError);
    await expect(run("--index", "x", "--fast")).rejects.toThrow(UsageError);
  });

  it.each([
    ["path,mrz_lines\nright.txt,X", "is not JSON"],
    ['[{ "path": "right.txt" }, { "file": "right.txt" }]', "another shape, in entry 2: must"],
    ['[{ "path": "right.txt", "mrz_lines": "X" }]', "another shape, in entry 1, field mrz_lines: must"],
    ['{ "path": "right.txt" }', "has another shape: must be array. It takes"],
  ])("refuses the list %s and names the place", async (text, words) => {
    const list = join(folder, "wrong.json");
    await writeFile(list, text);
    const refusal = run("--index", list);
    await expect(refusal).rejects.toThrow(CommandError);
    await expect(refusal).rejects.toThrow(words);
  });

  it("names every missing image with its entry before it reads any", async () => {
    const list = join(folder, "missing.json");
    const entries = ["right.txt", "gone.txt"].map((path) => ({ path, mrz_lines: lines }));
    await writeFile(list, JSON.stringify(entries));
    await expect(run("--index", list)).rejects.toThrow(/^Entry 2 of .*missing.json names .*gone.txt/);
  });
});
