import { createHash } from "node:crypto";
import type { Image, Imaging } from "#machine/imaging/image";
import type { RecogniserSpec } from "#machine/models/serve-slot";
import type { Tensor } from "#machine/networks/model";
import { packSingle } from "../matching/single-template.ts";
import { fitSimilarity } from "./geometry.ts";
import type { Mesh } from "./mesh.ts";
import { tensorOf } from "./network-input.ts";
import { fivePoints, unitVector } from "./recognition.ts";

/** A recogniser that the operator added. */
export type RecogniserNetwork = {
  readonly name: string;
  /** SHA-256 of its file, hex. */
  readonly hash: string;
  /** Its name in its templates (`nameRecogniser`). */
  readonly recogniser: string;
  readonly spec: RecogniserSpec;
  readonly run: (input: Tensor) => Promise<Readonly<Record<string, Tensor>>>;
};

/**
 * Names a recogniser in templates: SHA-256 of its file, then 8 bytes for the preparation of the face, hex.
 * `aligner` is the hash of the network that places the landmarks. The face detector is left out, as for the
 * bundled pair: the landmarks come from the aligner with any detector.
 */
export const nameRecogniser = (
  hash: string,
  { input, output, align, side }: RecogniserSpec,
  aligner: string,
) => {
  const { layout, channels, mean, scale } = input;
  const preparation = [aligner, align, side, layout, channels, mean, scale, output.name ?? null];
  return `${hash}${createHash("sha256").update(JSON.stringify(preparation)).digest("hex").slice(0, 16)}`;
};

/** Aligns a face by FaceMesh's five points to the network's points, and packs the output as a template. */
export const makeEmbedAdded = (imaging: Imaging, { recogniser, spec, run }: RecogniserNetwork) => {
  const { side, align, input, output } = spec;
  return async (image: Image, mesh: Mesh, fill: number): Promise<Uint8Array> => {
    const matrix = fitSimilarity(align, fivePoints(mesh));
    const outputs = await run(tensorOf(imaging.warpAffine(image, matrix, side, side, fill), side, input));
    const tensor = output.name === undefined ? Object.values(outputs)[0] : outputs[output.name];
    if (tensor?.data.length !== spec.size) throw new Error("The recogniser's output has another length");
    return packSingle({ recogniser, vector: unitVector(tensor.data) });
  };
};
