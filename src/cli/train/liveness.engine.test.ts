import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { crossValidateLiveness, fitLiveness } from "#evaluation/liveness/fit-liveness";
import { reportLiveness } from "#evaluation/liveness/report-liveness";
import { weighCues } from "#judging/face/liveness/cues/list";
import { parseFusion, writeFusion } from "#judging/face/liveness/fusion-file";
import { judgeLiveness } from "#judging/face/liveness/judge-liveness";
import { defaultFacePolicy } from "#judging/face/policy";
import { progressInto } from "#support/cli/progress-into";
import { imageOf, openFaceEngine, recaptured } from "#support/face/images";
import { CommandError, UsageError } from "../command.ts";
import { type TrainLivenessDeps, trainLiveness } from "./liveness.ts";

const folder = await mkdtemp(join(tmpdir(), "idem-train-"));
afterAll(() => rm(folder, { recursive: true }));
const engine = openFaceEngine();
const lines: string[] = [];
const deps: TrainLivenessDeps = {
  measure: engine.measure,
  concurrency: 1,
  judge: async (measured) => judgeLiveness(measured, defaultFacePolicy.liveness),
  weigh: weighCues,
  fit: fitLiveness,
  crossValidate: crossValidateLiveness,
  summarise: reportLiveness,
  write: writeFusion,
  now: () => new Date("2026-11-21T12:00:00Z"),
  out: (line) => lines.push(line),
  progress: progressInto([]),
};

/** Six images of a kind in five shades, at half their size, so that sixty are measured in seconds. */
const saveShades = async (kind: string, sources: readonly Uint8Array[]): Promise<void> => {
  await mkdir(join(folder, "data", kind), { recursive: true });
  const { imaging } = engine;
  for (const [i, bytes] of sources.entries()) {
    const { width, height, ...opened } = await imaging.open(bytes);
    const half = await imaging.resize(
      { ...opened, width, height },
      Math.round(width / 2),
      Math.round(height / 2),
    );
    for (const shade of [0.7, 0.77, 0.84, 0.91, 1]) {
      const name = `person${(2 * i + Math.round(10 * shade)) % 12}_${i}_${shade}.jpg`;
      const image = { ...half, data: half.data.map((value) => value * shade) };
      await writeFile(join(folder, "data", kind, name), await imaging.encodeJpeg(image, 90));
    }
  }
};
const faces = ["01829", "02045", "02159", "02221", "03909", "04035"].map((number) => `franck_${number}.jpg`);

describe("idem train liveness", () => {
  it("fits labelled folders and writes a file that the service accepts, with its report", async () => {
    const recaptures = await Promise.all(
      faces.map((face, i) => recaptured(engine, face, { medium: i < 3 ? "phone" : "print", seed: i })),
    );
    await saveShades("live", faces.map(imageOf));
    await saveShades("phone", recaptures.slice(0, 3));
    await saveShades("print", recaptures.slice(3));
    const out = join(folder, "own.json");
    expect(await trainLiveness(["--data", join(folder, "data"), "--out", out], deps)).toBe(0);
    const text = await readFile(out, "utf8");
    expect(parseFusion(text).scales["frame-around-face"]).toBeGreaterThan(0);
    expect(JSON.parse(text)).toMatchObject({
      madeAt: "2026-11-21T12:00:00.000Z",
      data: { persons: expect.any(Number), attacks: { phone: 15, print: expect.any(Number) } },
      models: { blazeface: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    const report = await readFile(join(folder, "own.report.md"), "utf8");
    expect(report).toMatch(/did not see[^]*BPCER[^]*phone, 15 images[^]*APCER/);
    expect(lines.join("\n")).toContain(report.trim().split("\n")[0]);
  }, 120_000);

  it("writes nothing where too few images get a verdict, and prints the reasons", async () => {
    const data = join(folder, "empty");
    for (const kind of ["live", "print"]) {
      await mkdir(join(data, kind), { recursive: true });
      for (let i = 0; i < 30; i++) await writeFile(join(data, kind, `person${i % 10}_${i}.jpg`), "");
    }
    const out = join(folder, "empty.json");
    await expect(trainLiveness(["--data", data, "--out", out], deps)).rejects.toThrow(
      new CommandError(
        "60 of 60 images got no verdict, mostly: NoneBecauseImageDataError (60). That leaves 0 images in live/, 0 in folders of attacks, of 0 persons. At least 30, 30 and 10 are needed. Nothing was written.",
      ),
    );
    await expect(readFile(out)).rejects.toThrow("ENOENT");
  });

  it("refuses folders with too few images, and wrong usage", async () => {
    await mkdir(join(folder, "little/live"), { recursive: true });
    await expect(trainLiveness(["--data", join(folder, "little")], deps)).rejects.toThrow(CommandError);
    await expect(trainLiveness(["--data", join(folder, "nowhere")], deps)).rejects.toThrow(/cannot be read/);
    await expect(trainLiveness([], deps)).rejects.toThrow(UsageError);
  });
});
