import { describe, expect, it } from "vitest";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { trialDims } from "#machine/models/judge-fit";
import { detectorSpecOf, findUnserved } from "#machine/models/serve-slot";
import { ledger } from "#machine/networks/ledger";
import { openNetworks } from "#machine/networks/networks";
import { imageOf, readCohort } from "#support/face/images";
import { manifestOf } from "#support/models/small-models";
import { type StatedFace, yunetNetwork } from "#support/networks/small-networks";
import { compare } from "../matching/comparison.ts";
import { unpackTemplate } from "../matching/template.ts";
import { makeMeasureFace } from "./measure-face.ts";
import { type DetectorNetwork, makeDetectYunet } from "./yunet.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });
const limits = { scoreMin: 0.5, overlapMax: 0.3 };
const side = 320;

const manifestFor = (bytes: Uint8Array, shape: readonly (number | string)[] = [1, 3, side, side]) => {
  const { crop: _, ...input } = manifestOf(bytes).input;
  const output = { kind: "yunet" } as const;
  return manifestOf(bytes, { slot: "face-detector", input: { ...input, shape: [...shape] }, output });
};

const detectorOf = (faces: readonly StatedFace[]): DetectorNetwork => {
  const bytes = yunetNetwork(side, faces);
  const manifest = manifestFor(bytes);
  const file = { name: "stated", hash: manifest.sha256, read: () => bytes, trialDims: trialDims(manifest) };
  const [network] = openNetworks(ledger, undefined, [file]).added;
  return { ...network!, spec: detectorSpecOf(manifest) };
};

const points = [
  [110, 100],
  [150, 100],
  [130, 120],
  [115, 140],
  [145, 140],
] as const;
const stated: StatedFace = { score: 0.9, x: 100, y: 80, width: 60, height: 80, points };
/** 640 x 480: the input of 320 x 320 shows it at half size, at the top left. */
const image = { width: 640, height: 480, data: new Uint8Array(640 * 480 * 3) };

describe("makeDetectYunet", () => {
  it("maps box and points back into the image, the box as the square that the landmark network expects", async () => {
    const [face, ...others] = await makeDetectYunet(imaging, detectorOf([stated]), limits)(image, 0);
    expect(others).toEqual([]);
    expect(face!.score).toBeCloseTo(0.9, 5);
    expect(face!.keypoints[0]![0]).toBeCloseTo(220, 3);
    expect(face!.keypoints[4]![1]).toBeCloseTo(280, 3);
    const { box } = face!;
    expect(box.width).toBeCloseTo(box.height, 6);
    expect(box.width).toBeCloseTo(Math.sqrt((120 / 0.878) * (160 / 1.219)), 3);
    expect(box.x + box.width / 2).toBeCloseTo(260, 3);
    expect(box.y + box.height / 2).toBeCloseTo(240 + 0.096 * box.height, 3);
  });

  it("subtracts a border again", async () => {
    const [face] = await makeDetectYunet(imaging, detectorOf([stated]), limits)(image, 0.25);
    const pixels = (640 * 1.5) / side;
    expect(face!.keypoints[0]![0]).toBeCloseTo(110 * pixels - 160, 2);
    expect(face!.keypoints[0]![1]).toBeCloseTo(100 * pixels - 160, 2);
  });

  it("joins overlapping candidates and drops weak ones", async () => {
    const near = { ...stated, x: 108, score: 0.8 };
    const weak = { ...stated, x: 220, y: 200, score: 0.4 };
    const far = { ...stated, x: 220, y: 20, score: 0.7 };
    const faces = await makeDetectYunet(imaging, detectorOf([stated, near, weak, far]), limits)(image, 0);
    expect(faces.map(({ score }) => Math.round(100 * score))).toEqual([90, 70]);
  });
});

describe("an added face detector", () => {
  it("replaces the bundled one: same face, same person, and the decision names it", async () => {
    const { networks } = openNetworks(ledger);
    const bytes = imageOf("franck_02159.jpg");
    const bundled = await makeMeasureFace({ imaging, networks, cohort: readCohort() })(bytes, {
      template: true,
    });
    if (bundled.kind !== "measured") throw new Error("The image was not measured");
    const { x, y, width, height } = bundled.face!.box;
    const scale = side / Math.max(bundled.width, bundled.height);
    const place = (u: number, v: number) => [(x + u * width) * scale, (y + v * height) * scale] as const;
    const seen: StatedFace = {
      score: 0.9,
      x: x * scale,
      y: (y - 0.13 * height) * scale,
      width: width * scale,
      height: 1.15 * height * scale,
      points: [place(0.3, 0.35), place(0.7, 0.35), place(0.5, 0.6), place(0.35, 0.8), place(0.65, 0.8)],
    };
    const detector = detectorOf([seen]);
    const measure = makeMeasureFace({ imaging, networks, cohort: readCohort(), detector });
    const measured = await measure(bytes, { template: true });
    if (measured.kind !== "measured") throw new Error("The image was not measured");
    expect(measured.faceWidths).toEqual([1]);
    expect(measured.models).toMatchObject({ stated: detector.hash });
    expect(measured.models).not.toHaveProperty("blazeface");
    const templates = [bundled, measured].map(({ template }) => unpackTemplate(template!)!);
    expect(compare(templates[0]!, templates[1]!)!.cosines[0]).toBeGreaterThan(0.99);
  });

  it("needs a manifest of a YuNet with a square or free input", () => {
    const bytes = yunetNetwork(side, [stated]);
    expect(findUnserved(manifestFor(bytes))).toBeUndefined();
    expect(findUnserved(manifestFor(bytes, [1, 3, "height", "width"]))).toBeUndefined();
    expect(findUnserved(manifestFor(bytes, [1, 3, 320, 240]))).toMatch(/equal ones of a multiple of 32/);
    expect(findUnserved(manifestFor(bytes, [1, 3, 300, 300]))).toMatch(/equal ones of a multiple of 32/);
    const logits = { ...manifestFor(bytes), output: { kind: "logits", size: 2, index: 0 } as const };
    expect(findUnserved(logits)).toMatch(/needs yunet/);
  });
});
