/**
 * Measures drawn captures of the turn challenge, genuine and altered ones, and prints how many pass: the
 * table of docs/measurements/liveness.md, "Altered captures".
 *
 * node lab/scripts/measure-turns.ts [COUNT] [SEED] [FILE]
 *
 * FILE gets every measurement, one JSON value a line.
 */
import { createHash } from "node:crypto";
import { appendFile, writeFile } from "node:fs/promises";
import { endWithHelp } from "../../scripts/help.ts";
import { judgeChallenge } from "../../src/judging/face/challenge/judge-challenge.ts";
import { turnOrders } from "../../src/judging/face/challenge/make-challenge.ts";
import { defaultChallengePolicy } from "../../src/judging/face/challenge/policy.ts";
import { makeDetector } from "../../src/judging/face/engine/detector.ts";
import { makeFindFaces, type Search } from "../../src/judging/face/engine/find-faces.ts";
import { makeMeasureChallenge } from "../../src/judging/face/engine/measure-challenge.ts";
import { makeMeasureFace } from "../../src/judging/face/engine/measure-face.ts";
import { makeFitMesh } from "../../src/judging/face/engine/mesh.ts";
import { makeEmbedDlib } from "../../src/judging/face/engine/recognition.ts";
import type { MeasureFace } from "../../src/judging/face/measurement.ts";
import { makeFollow } from "../../src/judging/face/motion/follow.ts";
import { defaultFacePolicy } from "../../src/judging/face/policy.ts";
import type { Image } from "../../src/machine/imaging/image.ts";
import { makeImaging } from "../../src/machine/imaging/imaging.ts";
import { defaultImagingLimits } from "../../src/machine/imaging/limits.ts";
import { shapeOf } from "../../src/sandbox/specimen/drawn-person.ts";
import { scanFace } from "../../src/sandbox/specimen/face-scan.ts";
import { alterations, drawAltered } from "../../test/support/face/challenge/altered-captures.ts";
import { type DrawnFrames, drawCapture } from "../../test/support/face/challenge/drawn-captures.ts";
import { readCohort, readEyewearProbe } from "../../test/support/face/images.ts";
import { sharedNetworks } from "../../test/support/networks/shared-networks.ts";

endWithHelp(import.meta.filename);

const [countText = "32", seedText = "100", file, only] = process.argv.slice(2);
const [count, seed] = [Number(countText), Number(seedText)];
if (!(count > 0) || !Number.isInteger(seed))
  throw new Error("usage: node lab/scripts/measure-turns.ts [COUNT] [SEED] [FILE]");

/**
 * The value of each name, of the newest names: altered captures share takes and frames. A frame is searched
 * and described once for all of them; what is followed between frames is measured anew for each.
 */
const makeKeep = <Value>(keptMax: number) => {
  const kept = new Map<string, Value>();
  return (name: string, make: () => Value): Value => {
    const found = kept.get(name) ?? make();
    kept.set(name, found);
    if (kept.size > keptMax) kept.delete(kept.keys().next().value ?? "");
    return found;
  };
};
const makeKeepOf = <Value>() => {
  const kept = new WeakMap<Image, Value>();
  return (image: Image, make: () => Value): Value => {
    const found = kept.get(image) ?? make();
    kept.set(image, found);
    return found;
  };
};
const keepBest = makeKeep<ReturnType<MeasureFace>>(12);
const keepTake = makeKeep<DrawnFrames>(12);
const keepFrame = makeKeep<Promise<Image>>(200);
const [keepJpeg, keepSearch, keepVector] = [
  makeKeepOf<Promise<Uint8Array>>(),
  makeKeepOf<Promise<Search>>(),
  makeKeepOf<Promise<Float32Array>>(),
];
const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const imaging = makeImaging({ limits: defaultImagingLimits });
const { networks } = sharedNetworks();
const measureFace = makeMeasureFace({ imaging, networks, cohort: readCohort(), eyewear: readEyewearProbe() });
const fitMesh = makeFitMesh(imaging, networks.facemesh);
const findFaces = makeFindFaces({ detect: makeDetector(imaging, networks.blazeface, undefined), fitMesh });
const describe = makeEmbedDlib(imaging, networks["dlib-resnet"]);
const open = (bytes: Uint8Array) => keepFrame(hashOf(bytes), () => imaging.open(bytes));
const measureChallenge = makeMeasureChallenge({
  measureFace: (bytes, wanted) => keepBest(hashOf(bytes), () => measureFace(bytes, wanted)),
  openFrame: open,
  openBest: open,
  toGrey: imaging.toGrey,
  findFaces: (image) => keepSearch(image, () => findFaces(image)),
  fitMesh,
  describe: ({ image, fill }, mesh) => keepVector(image, () => describe(image, mesh, fill)),
  follow: makeFollow(),
  faces: defaultChallengePolicy,
});
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
  const rotations = turnOrders[(i * 3) % turnOrders.length]!;
  const [scan, other] = [scanOf(seed + i), scanOf(seed + i + 1)];
  for (const kind of alterations.filter((one) => only === undefined || only.split(",").includes(one))) {
    const { best, steps } = drawAltered(kind, { scan, other, rotations, seed: seed + i }, (take) => {
      const { scan: shown, ...rest } = take;
      return keepTake(JSON.stringify([i, shown === scan, rest]), () => drawCapture(take));
    });
    const encode = (frame: Image) => keepJpeg(frame, () => imaging.encodeJpeg(frame, 88));
    const measurement = await measureChallenge({
      best: await encode(best),
      steps: await Promise.all(steps.map((frames) => Promise.all(frames.map(encode)))),
    });
    const challenge = { steps: rotations.map((turn) => ({ turn })) };
    const { result, reason } = judgeChallenge(measurement, challenge, policies);
    if (result === "pass") passed.set(kind, (passed.get(kind) ?? 0) + 1);
    if (file !== undefined) {
      const { best: found, ...rest } = measurement;
      const face = found.kind === "measured" ? { ...found, template: undefined } : found;
      await appendFile(
        file,
        `${JSON.stringify({ kind, i, rotations, result, reason, ...rest, best: face })}\n`,
      );
    }
  }
}
for (const kind of alterations) console.log(`${kind.padEnd(20)} ${passed.get(kind) ?? 0} of ${count}`);
