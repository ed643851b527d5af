import { detectorSize } from "../camera/frames.ts";
import { type Face, findFaces } from "../detector/find-faces.ts";
import { makeNetwork, type Network } from "../detector/network.ts";
import { readWeights } from "../detector/weights-file.ts";
import { type DocumentFacts, type DocumentShape, measureDocument } from "../judge/document-facts.ts";
import {
  changeOf,
  colourOf,
  type GreyFrame,
  greyOf,
  insideOf,
  lightOf,
  type SmallFrame,
  sharpnessOf,
} from "../judge/frame-facts.ts";
import { countFaces, type FaceFacts } from "../judge/judge-face.ts";
import { headPoseOf } from "../judge/pose.ts";

/** One small frame, and what is looked for in it. */
export type LookRequest = {
  readonly kind: "face" | "document";
  readonly frame: SmallFrame;
  readonly shape?: DocumentShape;
};

export type LookAnswer = {
  readonly face?: FaceFacts;
  readonly document?: DocumentFacts;
  /** Colour of the frame: an infrared camera has none. */
  readonly colour: number;
};

/** Measures frames one after the other; it remembers the frame before, to see movement. */
export type Look = (request: LookRequest) => LookAnswer;

/** Nearest pixels are enough: the frame is at most twice as large as the network's input. */
const scaleRgb = ({ width, height, rgba }: SmallFrame, across: number, down: number): Uint8Array => {
  const pixels = new Uint8Array(across * down * 3);
  const [stepX, stepY] = [width / across, height / down];
  let to = 0;
  for (let y = 0; y < down; y++) {
    const rows = [Math.floor(y * stepY), Math.min(height - 1, Math.floor((y + 0.5) * stepY))] as const;
    for (let x = 0; x < across; x++) {
      const columns = [Math.floor(x * stepX), Math.min(width - 1, Math.floor((x + 0.5) * stepX))] as const;
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (const row of rows) for (const column of columns) sum += rgba[(row * width + column) * 4 + c]!;
        pixels[to++] = sum / 4;
      }
    }
  }
  return pixels;
};

const measureFace = (faces: readonly Face[], frame: GreyFrame, before: GreyFrame | undefined): FaceFacts => {
  const whole = insideOf({ x: 0, y: 0, width: frame.width, height: frame.height }, frame);
  const frameMedian = lightOf(frame, whole).median;
  const [face] = faces;
  if (face === undefined) return { faces: 0, frameMedian };
  const short = Math.min(frame.width, frame.height);
  const region = insideOf(face, frame);
  return {
    faces: countFaces(faces),
    frameMedian,
    face: {
      width: face.width / short,
      right: (face.x + face.width / 2 - frame.width / 2) / short,
      down: (face.y + face.height / 2 - frame.height / 2) / short,
      pose: headPoseOf(face),
      light: lightOf(frame, region),
      sharpness: sharpnessOf(frame, region),
      change: changeOf(frame, before, region),
    },
  };
};

/** A face of the network's input in pixels of the frame. */
const scaleFace = (face: Face, x: number, y: number): Face => ({
  score: face.score,
  x: face.x * x,
  y: face.y * y,
  width: face.width * x,
  height: face.height * y,
  rightEye: [face.rightEye[0] * x, face.rightEye[1] * y],
  leftEye: [face.leftEye[0] * x, face.leftEye[1] * y],
  nose: [face.nose[0] * x, face.nose[1] * y],
  mouth: [face.mouth[0] * x, face.mouth[1] * y],
  rightEar: [face.rightEar[0] * x, face.rightEar[1] * y],
  leftEar: [face.leftEar[0] * x, face.leftEar[1] * y],
});

/** `weights` are the bytes of /widget/face-detector.bin. */
export const makeLook = (weights: Uint8Array): Look => {
  const floats = readWeights(weights);
  let network: { readonly size: string; readonly run: Network } | undefined;
  let before: GreyFrame | undefined;

  const detect = (frame: SmallFrame): readonly Face[] => {
    const { width, height } = detectorSize(frame.width, frame.height);
    const size = `${width} ${height}`;
    if (network?.size !== size) network = { size, run: makeNetwork(floats, width, height) };
    const faces = findFaces(network.run(scaleRgb(frame, width, height)), width);
    return faces.map((face) => scaleFace(face, frame.width / width, frame.height / height));
  };

  return ({ kind, frame, shape }) => {
    const grey = greyOf(frame);
    const colour = colourOf(frame);
    const answer =
      kind === "face"
        ? { colour, face: measureFace(detect(frame), grey, before) }
        : { colour, document: measureDocument(grey, before, shape ?? "card") };
    before = grey;
    return answer;
  };
};
