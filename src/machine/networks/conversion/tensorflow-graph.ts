import { type Static, Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { manifestSchema } from "./weights.ts";

const list = Type.Object({
  i: Type.Optional(Type.Array(Type.String())),
  s: Type.Optional(Type.Array(Type.String())),
});

/** Only the kinds of attribute that conversion reads; 64-bit numbers are decimal texts, texts are Base64. */
const attribute = Type.Object({
  s: Type.Optional(Type.String()),
  b: Type.Optional(Type.Boolean()),
  list: Type.Optional(list),
  shape: Type.Optional(Type.Object({ dim: Type.Optional(Type.Array(Type.Object({ size: Type.String() }))) })),
});

const node = Type.Object({
  name: Type.String(),
  op: Type.String(),
  input: Type.Optional(Type.Array(Type.String())),
  attr: Type.Optional(Type.Record(Type.String(), attribute)),
});

const graphModel = makeCheck(
  Type.Object({ modelTopology: Type.Object({ node: Type.Array(node) }), weightsManifest: manifestSchema }),
);

/** One operation of a graph; `inputs` without control edges and port numbers. */
export type GraphNode = {
  readonly name: string;
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly strides?: readonly number[];
  readonly dilations?: readonly number[];
  readonly window?: readonly number[];
  readonly padding?: string;
  readonly fused?: readonly string[];
  readonly keepsDims?: boolean;
  readonly transposes?: boolean;
  readonly dims?: readonly number[];
};

type RawNode = Static<typeof node>;

const fromBase64 = (text: string): string => Buffer.from(text, "base64").toString();

const toNode = ({ name, op, input = [], attr = {} }: RawNode): GraphNode => {
  const integers = (key: string): readonly number[] | undefined => attr[key]?.list?.i?.map(Number);
  const padding = attr["padding"]?.s;
  const strides = integers("strides");
  const dilations = integers("dilations");
  const window = integers("ksize");
  const dims = attr["shape"]?.shape?.dim?.map(({ size }) => Number(size));
  return {
    name,
    operator: op,
    inputs: input.filter((source) => !source.startsWith("^")).map((source) => source.replace(/:0$/, "")),
    fused: (attr["fused_ops"]?.list?.s ?? []).map(fromBase64),
    keepsDims: attr["keep_dims"]?.b ?? false,
    transposes: (attr["transpose_a"]?.b ?? false) || (attr["transpose_b"]?.b ?? false),
    ...(strides === undefined ? {} : { strides }),
    ...(dilations === undefined ? {} : { dilations }),
    ...(window === undefined ? {} : { window }),
    ...(padding === undefined ? {} : { padding: fromBase64(padding) }),
    ...(dims === undefined ? {} : { dims }),
  };
};

/** Reads the model.json of a TensorFlow.js graph model. Throws when it has another form. */
export const readGraphModel = (json: unknown) => {
  const { modelTopology, weightsManifest } = graphModel.Parse(json);
  return { nodes: modelTopology.node.map(toNode), weightsManifest };
};
