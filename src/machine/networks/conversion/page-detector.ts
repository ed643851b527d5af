import { type GraphNode, readGraphModel } from "./tensorflow-graph.ts";
import { type Constant, decodeWeights } from "./weights.ts";

/** "IDFD", then the version. */
const magic = [0x49, 0x44, 0x46, 0x44, 1] as const;

/** The smallest normal number of IEEE 754 binary16. */
const smallest = 2 ** -14;

const halfBits = (value: number): number => {
  const sign = value < 0 ? 0x8000 : 0;
  const size = Math.abs(value);
  if (!(size < 65_504)) throw new RangeError(`The weight ${value} is no half-precision number`);
  if (size < smallest) return sign | Math.round((size / smallest) * 1024);
  const exponent = Math.floor(Math.log2(size));
  // A fraction that rounds to 1024 carries into the exponent.
  return sign | (((exponent + 15) << 10) + Math.round((size / 2 ** exponent - 1) * 1024));
};

const isConvolution = ({ operator }: GraphNode): boolean =>
  operator === "_FusedConv2D" || operator === "DepthwiseConv2dNative";

/** Weights and biases in the order in which the graph runs its convolutions. */
const weightsInOrder = (
  nodes: readonly GraphNode[],
  constants: ReadonlyMap<string, Constant>,
): readonly Float32Array[] =>
  nodes.filter(isConvolution).flatMap(({ name, inputs }) =>
    inputs.slice(1).map((input) => {
      const constant = constants.get(input);
      if (constant === undefined) throw new Error(`The convolution ${name} has no weights ${input}`);
      return constant.data;
    }),
  );

/**
 * The face detector as the page loads it: the weights of BlazeFace in half precision, little-endian, layer by
 * layer (widget/detector/plan.ts). Half the bytes of the package's file; what it finds is the same
 * (page-detector.engine.test.ts). `files` are those of the ledger's entry: graph, weights.
 */
export const writePageDetector = ([graph, weights]: readonly Uint8Array[]): Uint8Array => {
  if (graph === undefined || weights === undefined) throw new Error("The detector has a graph and weights");
  const { nodes, weightsManifest } = readGraphModel(JSON.parse(new TextDecoder().decode(graph)));
  const [group] = weightsManifest;
  if (group === undefined) throw new Error("The graph of the detector names no weights");
  const layers = weightsInOrder(nodes, decodeWeights(group.weights, weights));
  const bytes = new Uint8Array(magic.length + 2 * layers.reduce((sum, { length }) => sum + length, 0));
  bytes.set(magic);
  const view = new DataView(bytes.buffer);
  let at = magic.length;
  for (const layer of layers) {
    for (const float of layer) {
      view.setUint16(at, halfBits(float), true);
      at += 2;
    }
  }
  return bytes;
};
