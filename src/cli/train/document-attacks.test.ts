import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeHashed } from "#contract/hashed-file";
import { isSafe } from "#contract/presentation-attack/bounds";
import { crossFitDocumentAttacks, fitDocumentAttacks } from "#evaluation/documents/fit-document-attacks";
import { reportAttacks } from "#evaluation/documents/report-attacks";
import { defaultAttackPolicy } from "#judging/document/decision/attacks/attack-policy";
import { documentBounds, fuseCues } from "#judging/document/decision/attacks/fusion";
import { parseDocumentFusion, writeDocumentFusion } from "#judging/document/decision/attacks/fusion-file";
import { judgePixelCues } from "#judging/document/decision/attacks/pixel-cues";
import { progressInto } from "#support/cli/progress-into";
import { CommandError, UsageError } from "../command.ts";
import { trainDocumentAttacks } from "./document-attacks.ts";

let folder: string;

/** The content of each file sets its reading: the peaks of its pattern. */
const write = async (kind: string, peaksOf: (i: number) => number): Promise<void> => {
  await mkdir(join(folder, "data", kind), { recursive: true });
  for (let i = 0; i < 36; i++) {
    await writeFile(join(folder, "data", kind, `card${i % 12}_${i}.jpg`), String(peaksOf(i)));
  }
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-train-attacks-"));
  await write("genuine", (i) => i % 4);
  await write("screen", (i) => (i % 9 === 0 ? 0 : 60));
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

const judge = async (bytes: Uint8Array) => {
  const peaks = Number(new TextDecoder().decode(bytes));
  if (Number.isNaN(peaks)) throw new Error("The image could not be decoded");
  return fuseCues(judgePixelCues({ pattern: { peaks, tiles: 6 } }, "front"), defaultAttackPolicy);
};

const run = async (...argv: string[]) => {
  const out: string[] = [];
  const deps = {
    judge,
    concurrency: 1,
    policy: defaultAttackPolicy,
    fit: fitDocumentAttacks,
    crossFit: crossFitDocumentAttacks,
    fuse: fuseCues,
    summarise: reportAttacks,
    write: writeDocumentFusion,
    now: () => new Date("2026-11-21T12:00:00Z"),
    out: (line: string) => void out.push(line),
    progress: progressInto([]),
  };
  return { code: await trainDocumentAttacks(argv, deps), out };
};

describe("idem train document-attacks", () => {
  it("fits the weight of each trace on own images, and writes a file that the service accepts, with a report", async () => {
    const file = join(folder, "own.json");
    const { code, out } = await run("--data", join(folder, "data"), "--out", file);
    expect(code).toBe(0);
    const fusion = parseDocumentFusion(await readFile(file, "utf8"), defaultAttackPolicy);
    expect(fusion.name).toMatch(/^fitted-[0-9a-f]{12}$/);
    expect(fusion.scales["fine-pattern"]).toBeGreaterThan(1);
    expect(isSafe(fusion, documentBounds(defaultAttackPolicy))).toBe(true);
    expect(await readFile(join(folder, "own.report.md"), "utf8")).toContain("did not see (5 folds)");
    expect(out.join("\n")).toContain("36 genuine images and 36 attacks, of 12 documents");
  });

  it("refuses a file that was changed, or in which a hint alone makes a spoof", async () => {
    const data = { documents: 1, genuine: 1, attacks: {} };
    const content = { format: "idem-document-attacks", version: 1, madeAt: "", offset: -2, data } as const;
    const good = writeDocumentFusion({ ...content, scales: { "fine-pattern": 1.5 } });
    expect(parseDocumentFusion(good, defaultAttackPolicy).scales).toEqual({ "fine-pattern": 1.5 });
    expect(() => parseDocumentFusion(good.replace("1.5", "1.4"), defaultAttackPolicy)).toThrow(/SHA-256/);
    const unsafe = writeDocumentFusion({ ...content, scales: { "fine-pattern": 2.5 } });
    expect(() => parseDocumentFusion(unsafe, defaultAttackPolicy)).toThrow(/out of bounds/);
    expect(() => parseDocumentFusion("{", defaultAttackPolicy)).toThrow(/damaged/);
  });

  it.each(["tea-leaves", "grey-portrait"])("refuses a file that weighs %s, which no fusion weighs", (cue) => {
    const data = { documents: 1, genuine: 1, attacks: {} };
    const content = { format: "idem-document-attacks", version: 1, madeAt: "", offset: -2, data };
    const text = writeHashed({ ...content, scales: { [cue]: 1 } });
    expect(() => parseDocumentFusion(text, defaultAttackPolicy)).toThrow(`it weighs the cue ${cue}`);
  });

  it("writes nothing where too few images can be read", async () => {
    const data = join(folder, "torn");
    await cp(join(folder, "data"), data, { recursive: true });
    for (let i = 0; i < 7; i++) await writeFile(join(data, "screen", `card${i}_${i}.jpg`), "torn");
    const file = join(folder, "torn.json");
    await expect(run("--data", data, "--out", file)).rejects.toThrow(
      new CommandError(
        "7 of 72 images could not be read, mostly: The image could not be decoded (7). That leaves 36 images in genuine/, 29 in folders of attacks, of 12 documents. At least 30, 30 and 10 are needed. Nothing was written.",
      ),
    );
    await expect(readFile(file)).rejects.toThrow("ENOENT");
  });

  it("refuses too few images, and a call without any", async () => {
    await mkdir(join(folder, "few", "genuine"), { recursive: true });
    await writeFile(join(folder, "few", "genuine", "a_1.jpg"), "1");
    await expect(run("--data", join(folder, "few"), "--out", join(folder, "few.json"))).rejects.toThrow(
      CommandError,
    );
    await expect(run()).rejects.toThrow(UsageError);
  });
});
