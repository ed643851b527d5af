import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeReading } from "#evaluation/documents/judge-reading";
import { reportAttacks } from "#evaluation/documents/report-attacks";
import { defaultDocumentPolicy } from "#judging/document/decision/policy";
import type { AttackMeasurement } from "#judging/document/reading/traces/measurement";
import { progressInto } from "#support/cli/progress-into";
import { mergeSources, now, readingOf, sideOf } from "#support/document/reading";
import { CommandError, UsageError } from "../command.ts";
import { measureDocumentAttacks } from "./document-attacks.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-attacks-"));
  await writeFile(join(folder, "grey.txt"), "0.5");
  await writeFile(join(folder, "colour.txt"), "2.5");
  await writeFile(join(folder, "broken.txt"), "");
  const rows = [
    "path,label,attack,clip",
    "grey.txt,attack,copy,one",
    "grey.txt,attack,copy,one",
    "colour.txt,attack,copy,two",
    "colour.txt,genuine,,",
    "broken.txt,genuine,,",
  ];
  await writeFile(join(folder, "labels.csv"), rows.join("\n"));
  await writeFile(join(folder, "wrong.csv"), "path,label\ngrey.txt,spoof\n");
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

/** Reads a text file that holds a card's colour: the test sets the judgement by the content. */
const judge = async (bytes: Uint8Array) => {
  if (bytes.length === 0) throw new Error("image_unreadable");
  const second = Number(new TextDecoder().decode(bytes));
  const attack: AttackMeasurement = { colour: { second, first: 3, usedShare: 1 } };
  const reading = readingOf(sideOf({ attack }));
  return judgeReading({ reading, fields: mergeSources(reading, now) }, now, defaultDocumentPolicy);
};

const run = async (...argv: string[]) => {
  const [out, progress]: [string[], string[]] = [[], []];
  const deps = {
    judge,
    concurrency: 1,
    summarise: reportAttacks,
    out: (line: string) => void out.push(line),
    progress: progressInto(progress),
  };
  return { code: await measureDocumentAttacks(argv, deps), out, progress };
};

describe("idem measure document-attacks", () => {
  it("judges the images of a list, reports each kind of attack by clip, and writes the figures", async () => {
    const json = join(folder, "figures.json");
    const { code, out, progress } = await run("--labels", join(folder, "labels.csv"), "--json", json);
    expect(code).toBe(0);
    expect(progress).toContain("broken.txt: image_unreadable");
    expect(progress.at(-1)).toBe("5 of 5");
    expect(out.join("\n")).toContain("copy, 3 images of 2 clips");
    expect(out.join("\n")).toMatch(/APCER +50\.0 % of 2/);
    expect(out.join("\n")).toMatch(/BPCER +0\.0 % of 1/);
    const figures: unknown = JSON.parse(await readFile(json, "utf8"));
    expect(figures).toMatchObject({
      genuine: 1,
      bpcer: 0,
      unread: 1,
      kinds: { copy: { clips: 2, pictures: 3, apcer: 0.5, auc: expect.closeTo(5 / 6, 9) } },
    });
  });

  it("refuses an unknown label with its line, and a call without a list", async () => {
    await expect(run("--labels", join(folder, "wrong.csv"))).rejects.toThrow(
      new CommandError(
        `Line 2 of ${join(folder, "wrong.csv")} has the label "spoof". Write attack or genuine.`,
      ),
    );
    await expect(run()).rejects.toThrow(UsageError);
  });
});
