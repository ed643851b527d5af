import { makeAcquire } from "#machine/models/acquire";
import type { Blocked } from "#machine/models/catalogue";
import { makeExamine } from "#machine/models/examine";
import type { Manifest } from "#machine/models/manifest";
import { openModelStore } from "#machine/models/model-store";
import { readOnnxFacts } from "#machine/networks/onnx-facts";
import { tryNetwork } from "#machine/networks/trial";
import { hashOf } from "../imaging/hash-of.ts";
import { livenessNetwork, recogniserNetwork, recogniserSize } from "../networks/small-networks.ts";

/** A small network that scores a blue image as live and a red one as not live. */
export const smallNetwork = livenessNetwork({ side: 16, index: 1, channel: 0 });

/** The manifest of the small network, where `bytes` are its file. */
export const manifestOf = (bytes: Uint8Array, change: Partial<Manifest> = {}): Manifest => ({
  name: "small",
  version: "1",
  slot: "liveness",
  sha256: hashOf(bytes),
  bytes: bytes.length,
  licence: { weights: "Apache-2.0" },
  training: "Nothing",
  caution: "It looks at one colour only.",
  input: {
    name: "input",
    layout: "NCHW",
    shape: [1, 3, 16, 16],
    channels: "BGR",
    mean: 0,
    scale: 1,
    crop: { faceBoxScale: 2.7, faceWidthShareMax: 0.6 },
  },
  output: { kind: "logits", size: 3, index: 1 },
  ...change,
});

/** A small recogniser and its manifest, with the five points that such networks are trained with. */
export const smallRecogniser = recogniserNetwork();
export const recogniserManifest: Manifest = manifestOf(smallRecogniser, {
  name: "coarse",
  slot: "face-recogniser",
  input: {
    layout: "NCHW",
    shape: [1, 3, 112, 112],
    channels: "RGB",
    mean: 127.5,
    scale: 1 / 127.5,
    align: [
      [38.2946, 51.6963],
      [73.5318, 51.5014],
      [56.0252, 71.7366],
      [41.5493, 92.3655],
      [70.7299, 92.2041],
    ],
  },
  output: { kind: "embedding", size: recogniserSize },
  thresholds: { "1e-3": 0.9 },
});

/** The manifest of a text recogniser for lines of 48 px, like those of PP-OCR. */
export const lineManifestOf = (bytes: Uint8Array, change: Partial<Manifest> = {}): Manifest =>
  manifestOf(bytes, {
    name: "lines",
    slot: "text-recogniser",
    input: {
      layout: "NCHW",
      shape: [1, 3, 48, "width"],
      channels: "RGB",
      mean: 127.5,
      scale: 1 / 127.5,
    },
    output: { kind: "ctc" },
    ...change,
  });

/** The manifest of a network that locates the corners of a document, like DocAligner's. */
export const cornersManifestOf = (bytes: Uint8Array, change: Partial<Manifest> = {}): Manifest =>
  manifestOf(bytes, {
    name: "corners",
    slot: "document-corners",
    input: { layout: "NCHW", shape: [1, 3, 256, 256], channels: "BGR", mean: 0, scale: 1 / 255 },
    output: { kind: "heatmap", name: "heatmap" },
    ...change,
  });

const clock = (): Date => new Date("2026-11-21T12:00:00Z");

/** Calibration is tested in test/recogniser.system.test.ts. */
const takeAny = (): undefined => undefined;

/** A model store in a folder, with the real trial, and the test's catalogue and block list. */
export const openTestModels = (
  folder: string,
  catalogue: readonly Manifest[] = [],
  blocked: readonly Blocked[] = [],
) => {
  const modelStore = openModelStore(folder);
  const bundled = ["facemesh"];
  const examine = makeExamine({ blocked, readFacts: readOnnxFacts, tryNetwork });
  return {
    catalogue,
    modelStore,
    examine,
    bundled,
    findUncalibrated: takeAny,
    ...makeAcquire({ catalogue, blocked, bundled, modelStore, examine, clock }),
  };
};
