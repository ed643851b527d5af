/**
 * Measures drawn captures of the turn challenge, genuine and altered ones, and prints how many pass: the table of
 * docs/measurements/liveness.md, "Altered captures".
 *
 * node scripts/measure-turns.ts [COUNT] [SEED] [FILE]
 *
 * FILE gets every measurement, one JSON value a line.
 */
import { createHash } from "node:crypto";
import { appendFile, writeFile } from "node:fs/promises";
import { judgeChallenge } from "#face/challenge/judge-challenge";
import { turnOrders } from "#face/challenge/make-challenge";
import { defaultChallengePolicy } from "#face/challenge/policy";
import { alterations, drawAltered } from "#face/challenge/testing/altered-captures";
import { type DrawnFrames, drawCapture } from "#face/challenge/testing/drawn-captures";
import { makeChallengeEngine } from "#face/challenge/testing/open-challenge-engine";
import type { MeasureFace } from "#face/measurement";
import { defaultFacePolicy } from "#face/policy";
import { shapeOf } from "#specimen/drawn-person";
import { scanFace } from "#specimen/face-scan";
import { endWithHelp } from "./help.ts";

endWithHelp(import.meta.filename);

const [countText = "32", seedText = "100", file, only] = process.argv.slice(2);
const [count, seed] = [Number(countText), Number(seedText)];
if (!(count > 0) || !Number.isInteger(seed)) throw new Error("usage: node scripts/measure-turns.ts [COUNT] [SEED] [FILE]");

/** The value of each name, of the newest names: altered captures share takes and best images. */
const makeKeep = <Value>() => {
  const kept = new Map<string, Value>();
  return (name: string, make: () => Value): Value => {
    const found = kept.get(name) ?? make();
    kept.set(name, found);
    if (kept.size > keptMax) kept.delete(kept.keys().next().value ?? "");
    return found;
  };
};
const keptMax = 12;
const keepBest = makeKeep<ReturnType<MeasureFace>>();
const keepTake = makeKeep<DrawnFrames>();
const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const { imaging, measureChallenge } = makeChallengeEngine(
  (measureFace) => (bytes, wanted) => keepBest(hashOf(bytes), () => measureFace(bytes, wanted)),
);
const policies = { challenge: defaultChallengePolicy, liveness: defaultFacePolicy.liveness };
const scanOf = (person: number) =>
  scanFace(shapeOf(person, person % 2 === 0 ? "M" : "F"), {
    side: 320,
    light: [-0.4, 0.4, 0.9],
    background: [150, 150, 150],
    seed: person,
  });
if (file !== undefined) await writeFile(file, "");
const passed = new Map<string, number>();
for (let i = 0; i < count; i++) {
  const rotations = turnOrders[(i * 5) % turnOrders.length]!;
  const [scan, other] = [scanOf(seed + i), scanOf(seed + i + 1)];
  for (const kind of alterations.filter((one) => only === undefined || only.split(",").includes(one))) {
    const { best, steps } = drawAltered(kind, { scan, other, rotations, seed: seed + i }, (take) => {
      const { scan: shown, ...rest } = take;
      return keepTake(JSON.stringify([i, shown === scan, rest]), () => drawCapture(take));
    });
    const measurement = await measureChallenge({
      best: await imaging.encodeJpeg(best, 90),
      steps: await Promise.all(
        // Frames that are shown twice have other bytes.
        steps.map((frames) => Promise.all(frames.map((frame, at) => imaging.encodeJpeg(frame, 85 - at)))),
      ),
    });
    const challenge = { steps: rotations.map((turn) => ({ turn })) };
    const { result, reason } = judgeChallenge(measurement, challenge, policies);
    if (result === "pass") passed.set(kind, (passed.get(kind) ?? 0) + 1);
    if (file !== undefined) {
      const { best: found, ...rest } = measurement;
      const face = found.kind === "measured" ? { ...found, template: undefined } : found;
      await appendFile(file, `${JSON.stringify({ kind, i, rotations, result, reason, ...rest, best: face })}\n`);
    }
  }
}
for (const kind of alterations) console.log(`${kind.padEnd(20)} ${passed.get(kind) ?? 0} of ${count}`);
