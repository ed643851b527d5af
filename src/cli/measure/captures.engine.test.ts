import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeMeasuring } from "#app/evaluation";
import { readConfig } from "#machine/config/config";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { shapeOf } from "#sandbox/specimen/drawn-person";
import { scanFace } from "#sandbox/specimen/face-scan";
import type { HeadKind } from "#sandbox/specimen/turning-head";
import { progressInto } from "#support/cli/progress-into";
import { placesOf } from "#support/face/challenge/captures";
import { drawCapture } from "#support/face/challenge/drawn-captures";
import { measureLiveness } from "./liveness.ts";

const { encodeJpeg } = makeImaging({ limits: defaultImagingLimits });
const folder = await mkdtemp(join(tmpdir(), "idem-captures-"));
const measuring = makeMeasuring(readConfig({}));
afterAll(async () => {
  await measuring.close();
  await rm(folder, { recursive: true, force: true });
});
const scan = scanFace(shapeOf(1, "F"), {
  side: 320,
  light: [-0.4, 0.4, 0.9],
  background: [150, 150, 150],
  seed: 1,
});

/** Writes a drawn capture of one turn as a folder with capture.json. */
const writeCapture = async (kind: HeadKind, degrees: number): Promise<void> => {
  const { best, steps } = drawCapture({ scan, kind, rotations: ["left"], degrees, seed: 107 });
  await mkdir(join(folder, kind));
  const frames = placesOf(steps.length).map((place, i) => ({ ...place, file: `${i}.jpg` }));
  for (const [i, frame] of [best, ...steps.flat()].entries()) {
    await writeFile(join(folder, kind, `${i}.jpg`), await encodeJpeg(frame, 88));
  }
  await writeFile(join(folder, kind, "capture.json"), JSON.stringify({ frames }));
};

const run = async (rows: readonly string[], ...args: readonly string[]) => {
  const list = join(folder, "captures.csv");
  await writeFile(list, ["path,label,turns,attack,device,light", ...rows, ""].join("\n"));
  const lines: string[] = [];
  const voices = { out: (line: string) => void lines.push(line), progress: progressInto([]) };
  const code = await measureLiveness(["--captures", list, ...args], { ...measuring.liveness, ...voices });
  return { code, lines };
};

it("idem measure liveness --captures measures whole captures, a head and a print of it", async () => {
  await writeCapture("head", 18);
  await writeCapture("flat", 30);
  const json = join(folder, "figures.json");
  const rows = ["head,live,left,,phone,day", "flat,spoof,left,print,phone,day"];
  const { code, lines } = await run(rows, "--json", json);
  expect(code).toBe(0);
  expect(lines[0]).toBe("captures      1 live, 1 spoof");
  expect(JSON.parse(await readFile(json, "utf8"))).toMatchObject({
    live: 1,
    spoof: 1,
    reasons: { pass: { live: 1, spoof: 0 } },
    conditions: { "phone, day": { medianMs: 1600 } },
  });
});

it.each([
  ["the label", "head,real,left,,,", 'has the label "real"'],
  ["a turn", "head,live,around,,,", 'has the turns "around"'],
  ["a capture that is missing", "nowhere,live,left,,,", "the capture"],
])("refuses a list with its line: %s", async (_, row, reason) => {
  const refusal = run([row]);
  await expect(refusal).rejects.toThrow("Line 2 of ");
  await expect(refusal).rejects.toThrow(reason);
});
