import {
  type Activation,
  depthwise,
  makeActivation,
  makePointwise,
  type Pointwise,
  pointwise,
  pointwiseRelu,
} from "./layers.ts";
import { floatsOf, type HeadName, type Layer, plan } from "./plan.ts";
import { stem } from "./stem.ts";

export type Heads = Readonly<Record<HeadName, Float32Array>>;

/** Runs the detector on RGB pixels of this size. */
export type Network = (pixels: Uint8Array) => Heads;

type Ready =
  | {
      readonly kind: "stem";
      readonly weights: Float32Array;
      readonly bias: Float32Array;
      readonly out: Activation;
    }
  | {
      readonly kind: "block";
      readonly stride: 1 | 2;
      readonly hasResidual: boolean;
      readonly depth: Float32Array;
      readonly point: Pointwise;
      readonly between: Float32Array;
      readonly out: Activation;
    }
  | { readonly kind: "head"; readonly name: HeadName; readonly point: Pointwise };

/** The weights of a layer and the activation that it writes. */
const readyOf = (layer: Layer, floats: Float32Array, width: number, height: number): Ready => {
  if (layer.kind === "stem") {
    const bias = floats.subarray(floats.length - layer.to);
    return { kind: "stem", weights: floats, bias, out: makeActivation(width / 2, height / 2, layer.to) };
  }
  const depthFloats = layer.kind === "head" ? 0 : 9 * layer.from;
  const pointFloats = layer.from * layer.to;
  const point = makePointwise(
    floats.subarray(depthFloats, depthFloats + pointFloats),
    floats.subarray(depthFloats + pointFloats),
    layer.from,
    layer.to,
  );
  if (layer.kind === "head") return { kind: "head", name: layer.name, point };
  const stride = layer.kind === "shrink" ? 2 : layer.stride;
  const out = makeActivation(width / stride, height / stride, layer.to);
  return {
    kind: "block",
    stride,
    hasResidual: layer.kind === "block",
    depth: floats.subarray(0, depthFloats),
    point,
    between: new Float32Array(out.width * out.height * layer.from),
    out,
  };
};

/** All layers for one size of input; width and height are multiples of 32. */
const prepare = (weights: Float32Array, width: number, height: number): readonly Ready[] => {
  let [at, across, down] = [0, width, height];
  return plan.map((layer) => {
    const floats = weights.subarray(at, at + floatsOf(layer));
    at += floats.length;
    const ready = readyOf(layer, floats, across, down);
    if (ready.kind !== "head") [across, down] = [ready.out.width, ready.out.height];
    return ready;
  });
};

/** The network for one size of input. Its memory is kept from call to call. */
export const makeNetwork = (weights: Float32Array, width: number, height: number): Network => {
  if (width % 32 !== 0 || height % 32 !== 0) throw new RangeError("Width and height are multiples of 32");
  const layers = prepare(weights, width, height);
  return (pixels) => {
    let current: Activation | undefined;
    const heads: Record<HeadName, Float32Array> = {
      scores16: none,
      boxes16: none,
      scores32: none,
      boxes32: none,
    };
    for (const layer of layers) {
      if (layer.kind === "stem") {
        stem(pixels, width, layer.weights, layer.bias, layer.out);
        current = layer.out;
      } else if (current !== undefined && layer.kind === "head") {
        heads[layer.name] = pointwise(current, layer.point);
      } else if (current !== undefined && layer.kind === "block") {
        depthwise(current, layer.depth, layer.stride, layer.between);
        const residual = layer.hasResidual ? { input: current, stride: layer.stride } : undefined;
        pointwiseRelu(layer.between, layer.point, residual, layer.out);
        current = layer.out;
      }
    }
    return heads;
  };
};

const none = new Float32Array(0);
