import {
  bytesField,
  type Encoded,
  floatField,
  integerField,
  joined,
  messageField,
  serialize,
  textField,
} from "./protobuf.ts";

/** Field numbers and enum values below are those of onnx.proto, ONNX 1.12: IR version 8, operator set 17. */
const irVersion = 8;
const operatorSet = 17;

export type OnnxTensor = {
  readonly name: string;
  readonly dims: readonly number[];
  readonly data: Float32Array | BigInt64Array;
};

/** Text, whole number, list of whole numbers, or a float. */
export type OnnxAttribute = string | number | readonly number[] | { readonly float: number };

export type OnnxNode = {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes: Readonly<Record<string, OnnxAttribute>>;
};

/** A named dimension is free: the batch. */
export type OnnxInput = { readonly name: string; readonly dims: readonly (number | string)[] };

export type OnnxGraph = {
  readonly name: string;
  readonly nodes: readonly OnnxNode[];
  readonly initializers: readonly OnnxTensor[];
  readonly input: OnnxInput;
  readonly outputs: readonly string[];
  /** Texts beside the network, by key. */
  readonly metadata?: Readonly<Record<string, string>>;
};

const elementFloat = 1;
const elementInt64 = 7;

const encodeTensor = ({ name, dims, data }: OnnxTensor): Encoded =>
  joined([
    ...dims.map((dim) => integerField(1, dim)),
    integerField(2, data instanceof Float32Array ? elementFloat : elementInt64),
    textField(8, name),
    bytesField(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)),
  ]);

const attributeFloat = 1;
const attributeInteger = 2;
const attributeText = 3;
const attributeIntegers = 7;

const encodeAttribute = ([name, value]: readonly [string, OnnxAttribute]): Encoded => {
  const head = textField(1, name);
  if (typeof value === "string") return joined([head, textField(4, value), integerField(20, attributeText)]);
  if (typeof value === "number") {
    return joined([head, integerField(3, value), integerField(20, attributeInteger)]);
  }
  if ("float" in value) return joined([head, floatField(2, value.float), integerField(20, attributeFloat)]);
  return joined([head, ...value.map((item) => integerField(8, item)), integerField(20, attributeIntegers)]);
};

const encodeNode = ({ operator, inputs, output, attributes }: OnnxNode): Encoded =>
  joined([
    ...inputs.map((input) => textField(1, input)),
    textField(2, output),
    textField(4, operator),
    ...Object.entries(attributes).map((attribute) => messageField(5, encodeAttribute(attribute))),
  ]);

/** ValueInfoProto of a float tensor; without dims the runtime infers its shape. */
const encodeValue = (name: string, dims?: OnnxInput["dims"]): Encoded => {
  const shape = dims?.map((dim) =>
    messageField(1, typeof dim === "string" ? textField(2, dim) : integerField(1, dim)),
  );
  const tensor = joined([
    integerField(1, elementFloat),
    ...(shape === undefined ? [] : [messageField(2, joined(shape))]),
  ]);
  return joined([textField(1, name), messageField(2, messageField(1, tensor))]);
};

/** A complete ONNX file. */
export const encodeModel = (graph: OnnxGraph): Uint8Array => {
  const body = joined([
    ...graph.nodes.map((node) => messageField(1, encodeNode(node))),
    textField(2, graph.name),
    ...graph.initializers.map((tensor) => messageField(5, encodeTensor(tensor))),
    messageField(11, encodeValue(graph.input.name, graph.input.dims)),
    ...graph.outputs.map((output) => messageField(12, encodeValue(output))),
  ]);
  const operators = joined([textField(1, ""), integerField(2, operatorSet)]);
  return serialize(
    joined([
      integerField(1, irVersion),
      textField(2, "idem"),
      messageField(7, body),
      messageField(8, operators),
      ...Object.entries(graph.metadata ?? {}).map(([key, value]) =>
        messageField(14, joined([textField(1, key), textField(2, value)])),
      ),
    ]),
  );
};
