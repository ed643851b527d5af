import type { Image, Imaging } from "#imaging/image";
import type { Tensor } from "#inference/model";
import type { RecogniserSpec } from "#models/serve-slot";
import { cosine } from "./comparison.ts";
import { fitSimilarity } from "./geometry.ts";
import type { Mesh } from "./mesh.ts";
import { tensorOf } from "./network-input.ts";
import { fivePoints, unitVector } from "./recognition.ts";

/** A recogniser that the operator added. */
export type RecogniserNetwork = {
  readonly name: string;
  /** SHA-256 of its file, hex. */
  readonly hash: string;
  readonly spec: RecogniserSpec;
  readonly run: (input: Tensor) => Promise<Readonly<Record<string, Tensor>>>;
};

/** A face as such a network describes it: unit length, and of no meaning beside another network's. */
export type AddedEmbedding = { readonly recogniser: string; readonly vector: Float32Array };

/** Aligns a face by FaceMesh's five points onto the network's, and describes it. */
export const makeEmbedAdded =
  (imaging: Imaging, { hash, spec, run }: RecogniserNetwork) =>
  async (image: Image, mesh: Mesh, fill: number): Promise<AddedEmbedding> => {
    const { side, align, input, output } = spec;
    const matrix = fitSimilarity(align, fivePoints(mesh));
    const outputs = await run(tensorOf(imaging.warpAffine(image, matrix, side, side, fill), side, input));
    const tensor = output.name === undefined ? Object.values(outputs)[0] : outputs[output.name];
    if (tensor?.data.length !== spec.size) throw new Error("the recogniser's output has another length");
    return { recogniser: hash, vector: unitVector(tensor.data) };
  };

const magic = "IDFA";
const headerBytes = magic.length + 32;

/** `IDFA`, SHA-256 of the network, then the values as little-endian float32: no template of the bundled recognisers. */
export const packEmbedding = ({ recogniser, vector }: AddedEmbedding): Uint8Array => {
  const bytes = Buffer.alloc(headerBytes + 4 * vector.length);
  bytes.write(magic, "latin1");
  bytes.write(recogniser, magic.length, "hex");
  vector.forEach((value, i) => bytes.writeFloatLE(value, headerBytes + 4 * i));
  return new Uint8Array(bytes);
};

/** Undefined for bytes that are no such embedding. */
export const unpackEmbedding = (bytes: Uint8Array): AddedEmbedding | undefined => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = (view.length - headerBytes) / 4;
  if (view.toString("latin1", 0, magic.length) !== magic || !Number.isInteger(length) || length < 1) {
    return undefined;
  }
  const vector = Float32Array.from({ length }, (_, i) => view.readFloatLE(headerBytes + 4 * i));
  return { recogniser: view.toString("hex", magic.length, headerBytes), vector };
};

/** Cosine of two faces; undefined where different networks described them. */
export const compareEmbeddings = (a: AddedEmbedding, b: AddedEmbedding): number | undefined =>
  a.recogniser === b.recogniser && a.vector.length === b.vector.length
    ? cosine(a.vector, b.vector)
    : undefined;
