import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultAttackPolicy } from "../document/attacks/attack-policy.ts";
import { fuseSignals } from "../document/attacks/fusion.ts";
import { parseAttackFusion, writeAttackFusion } from "../document/attacks/fusion-file.ts";
import { crossFitAttackFusion, fitAttackFusion, isSafe } from "../document/attacks/fusion-fit.ts";
import { judgeTraces } from "../document/attacks/pixel-signals.ts";
import { reportAttacks } from "../document/attacks/report-attacks.ts";
import { CommandError, UsageError } from "./command.ts";
import { trainDocumentAttacks } from "./train-document-attacks.ts";

let folder: string;

/** What each picture shows stands in its file: the peaks of its pattern. */
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
  return fuseSignals(judgeTraces({ pattern: { peaks, tiles: 6 } }, "front"), defaultAttackPolicy);
};

const run = async (...argv: string[]) => {
  const out: string[] = [];
  const deps = {
    judge,
    concurrency: 1,
    policy: defaultAttackPolicy,
    fit: fitAttackFusion,
    crossFit: crossFitAttackFusion,
    fuse: fuseSignals,
    summarise: reportAttacks,
    write: writeAttackFusion,
    now: () => new Date("2026-11-21T12:00:00Z"),
    out: (line: string) => void out.push(line),
    progress: () => undefined,
  };
  return { code: await trainDocumentAttacks(argv, deps), out };
};

describe("idem train document-attacks", () => {
  it("fits what a trace is worth on own pictures, and writes a file that the service takes, with a report", async () => {
    const file = join(folder, "own.json");
    const { code, out } = await run("--data", join(folder, "data"), "--out", file);
    expect(code).toBe(0);
    const fusion = parseAttackFusion(await readFile(file, "utf8"), defaultAttackPolicy);
    expect(fusion.name).toMatch(/^fitted-[0-9a-f]{12}$/);
    expect(fusion.scales["fine-pattern"]).toBeGreaterThan(1);
    expect(isSafe(fusion, defaultAttackPolicy)).toBe(true);
    expect(await readFile(join(folder, "own.report.md"), "utf8")).toContain("did not see (5 folds)");
    expect(out.join("\n")).toContain("36 genuine pictures and 36 attacks, of 12 documents");
  });

  it("takes no file that was changed, or that lets a hint alone make a spoof", async () => {
    const data = { documents: 1, genuine: 1, attacks: {} };
    const content = { format: "idem-document-attacks", version: 1, madeAt: "", offset: -2, data } as const;
    const good = writeAttackFusion({ ...content, scales: { "fine-pattern": 1.5 } });
    expect(parseAttackFusion(good, defaultAttackPolicy).scales).toEqual({ "fine-pattern": 1.5 });
    expect(() => parseAttackFusion(good.replace("1.5", "1.4"), defaultAttackPolicy)).toThrow(/SHA-256/);
    const unsafe = writeAttackFusion({ ...content, scales: { "fine-pattern": 2.5 } });
    expect(() => parseAttackFusion(unsafe, defaultAttackPolicy)).toThrow(/out of bounds/);
    expect(() => parseAttackFusion("{", defaultAttackPolicy)).toThrow(/damaged/);
  });

  it("writes nothing where too few pictures can be read", async () => {
    const data = join(folder, "torn");
    await cp(join(folder, "data"), data, { recursive: true });
    for (let i = 0; i < 7; i++) await writeFile(join(data, "screen", `card${i}_${i}.jpg`), "torn");
    const file = join(folder, "torn.json");
    await expect(run("--data", data, "--out", file)).rejects.toThrow(
      new CommandError(
        "7 of 72 pictures could not be read, mostly: The image could not be decoded (7). That leaves 36 pictures in genuine/, 29 in folders of attacks, of 12 documents. At least 30, 30 and 10 are needed. Nothing was written.",
      ),
    );
    await expect(readFile(file)).rejects.toThrow("ENOENT");
  });

  it("refuses too few pictures, and a call without any", async () => {
    await mkdir(join(folder, "few", "genuine"), { recursive: true });
    await writeFile(join(folder, "few", "genuine", "a_1.jpg"), "1");
    await expect(run("--data", join(folder, "few"), "--out", join(folder, "few.json"))).rejects.toThrow(
      CommandError,
    );
    await expect(run()).rejects.toThrow(UsageError);
  });
});
