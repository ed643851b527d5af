import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Type } from "typebox";
import { turnDirections } from "#contract/capture";
import { makeCheck } from "#contract/make-check";
import type { CaptureCase, CaptureReport } from "#evaluation/liveness/report-captures";
import { areaText, verdictRate } from "#evaluation/report/percent";
import type { Challenge, ChallengeVerdict } from "#judging/face/challenge/challenge";
import { type FrameHead, readContainer } from "#judging/face/challenge/container";
import type { AnsweredChallenge } from "#judging/face/challenge/judge-challenge";
import type { ChallengeMeasurement, MeasureChallenge } from "#judging/face/challenge/measurement";
import { CommandError } from "../command.ts";
import { writeFigures } from "../kit/figures-file.ts";
import { type ListRow, mapImages, readList } from "../kit/list-file.ts";
import type { WorkProgress } from "../kit/progress.ts";

export type MeasureCapturesDeps = {
  readonly measureChallenge: MeasureChallenge;
  readonly judgeChallenge: (
    measurement: ChallengeMeasurement,
    challenge: AnsweredChallenge,
  ) => Promise<ChallengeVerdict>;
  readonly summariseCaptures: (cases: readonly CaptureCase[]) => CaptureReport;
  readonly concurrency: number;
  readonly out: (line: string) => void;
  readonly progress: WorkProgress;
};

type Files = {
  readonly list: string;
  readonly root?: string | undefined;
  readonly json?: string | undefined;
};

/** Measures a list of whole captures (`idem measure liveness --captures`) and returns exit code 0. */
export const measureCaptures = async (
  { list, root = dirname(list), json }: Files,
  deps: MeasureCapturesDeps,
): Promise<number> => {
  const rows = (await readList(list, ["path", "label", "turns"])).map((row) => labelled(row, list));
  const cases = await mapImages(rows, deps, (row) => judgeRow(row, root, deps));
  const report = deps.summariseCaptures(cases);
  for (const line of describeCaptures(report)) deps.out(line);
  await writeFigures(json, report);
  return 0;
};

type Row = Pick<CaptureCase, "label" | "attack" | "device" | "light"> & {
  readonly path: string;
  readonly where: string;
  readonly steps: Challenge["steps"];
};

const labelled = ({ line, cells }: ListRow, list: string): Row => {
  const { path = "", label, attack = "", device = "", light = "", turns: asked = "" } = cells;
  const where = `Line ${line} of ${list}`;
  if (label !== "live" && label !== "spoof") {
    throw new CommandError(`${where} has the label ${JSON.stringify(label)}. Write live or spoof.`);
  }
  const steps = asked.split(" ").map((name) => ({ turn: turnDirections.find((one) => one === name) }));
  const known = steps.flatMap(({ turn }) => (turn === undefined ? [] : [{ turn }]));
  if (known.length !== steps.length) {
    throw new CommandError(`${where} has the turns ${JSON.stringify(asked)}. Write them as: left up.`);
  }
  return { path, where, label, attack, device, light, steps: known };
};

const judgeRow = async (row: Row, root: string, deps: MeasureCapturesDeps): Promise<CaptureCase> => {
  const { places, frames } = await openCapture(resolve(root, row.path), row.where);
  const framesOf = (step: number) => frames.filter((_, i) => places[i]!.step === step);
  const [best] = framesOf(-1);
  const steps = row.steps.map((_, step) => framesOf(step));
  const times = row.steps.map((_, step) =>
    places.filter((place) => place.step === step).map(({ capturedMs }) => capturedMs),
  );
  if (best === undefined || steps.some(({ length }) => length < 2)) {
    throw new CommandError(
      `${row.where}: the capture needs a best image, and two frames or more of each turn.`,
    );
  }
  const measured = await deps.measureChallenge({ best, steps });
  const { result, reason } = await deps.judgeChallenge(measured, { steps: row.steps, times });
  const face = measured.best.kind === "measured" ? measured.best.face : undefined;
  const { label, attack, device, light } = row;
  return {
    label,
    attack,
    device,
    light,
    result,
    reason,
    spanMs: places.at(-1)!.capturedMs - places[0]!.capturedMs,
    nullScalars: {
      brightness: face?.quality.brightness,
      sharpness: face?.quality.sharpness,
      faceSize: face?.eyeDistancePx,
    },
  };
};

type OpenCapture = { readonly places: readonly FrameHead[]; readonly frames: readonly Uint8Array[] };

/** The form of `capture.json` in the folder of a capture. */
const captureFile = makeCheck(
  Type.Object({
    frames: Type.Array(
      Type.Object({
        file: Type.String({ pattern: "^[\\w-][\\w.-]{0,99}$" }),
        step: Type.Integer({ minimum: -1, maximum: 40 }),
        index: Type.Integer({ minimum: 0, maximum: 40 }),
        capturedMs: Type.Integer({ minimum: 0 }),
      }),
      { minItems: 1, maxItems: 40 },
    ),
  }),
);

/** A container file, or a folder with `capture.json` and the frames that it names. */
const openCapture = async (path: string, where: string): Promise<OpenCapture> => {
  try {
    return (await stat(path)).isDirectory() ? await openFolder(path) : openContainer(await readFile(path));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(`${where}: the capture ${path} cannot be read: ${reason}`);
  }
};

const openContainer = (bytes: Uint8Array): OpenCapture => {
  const container = readContainer(bytes);
  if (container.kind === "fault") throw new Error(`it is no container of version 2 (${container.fault})`);
  return { places: container.head.frames, frames: container.frames };
};

const openFolder = async (folder: string): Promise<OpenCapture> => {
  const parsed: unknown = JSON.parse(await readFile(join(folder, "capture.json"), "utf8"));
  if (!captureFile.Check(parsed)) throw new Error("its capture.json has another form");
  const frames: Uint8Array[] = [];
  for (const { file } of parsed.frames) frames.push(await readFile(join(folder, file)));
  return { places: parsed.frames, frames };
};

/** The report as lines, with the bounds of each rate. */
export const describeCaptures = (report: CaptureReport): readonly string[] => [
  `captures      ${report.live} live, ${report.spoof} spoof`,
  `BPCER         ${verdictRate(report.bpcer)}`,
  `again, live   ${verdictRate(report.tryAgain)}`,
  "Attacks by kind:",
  ...Object.entries(report.attacks).flatMap(([name, { apcer, tryAgain }]) => [
    `  ${name}`,
    `    APCER       ${verdictRate(apcer)}`,
    `    again       ${verdictRate(tryAgain)}`,
  ]),
  "Live captures by device and light:",
  ...Object.entries(report.conditions).flatMap(([name, { bpcer, tryAgain, medianMs }]) => [
    `  ${name}`,
    `    BPCER       ${verdictRate(bpcer)}`,
    `    again       ${verdictRate(tryAgain)}`,
    `    time        ${medianMs === null ? "-" : `${(medianMs / 1000).toFixed(1)} s, median`}`,
  ]),
  "Results:",
  ...Object.entries(report.reasons).map(
    ([name, { live, spoof }]) => `  ${name.padEnd(28)} live ${live}, spoof ${spoof}`,
  ),
  `Single numbers of the best image, AUC: ${Object.entries(report.nullScalars)
    .map(([name, area]) => `${name} ${areaText(area)}`)
    .join(", ")}. Where one does well, the set measures itself.`,
];
