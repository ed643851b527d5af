import { type Field, readFields } from "./conversion/protobuf-reader.ts";

/** The facts that an ONNX file states, read before running it. */
export type OnnxFacts = {
  /** Version of each operator set by domain; "" is ONNX's own. */
  readonly operatorSets: Readonly<Record<string, number>>;
  /** Domains of the operators that its graphs use. */
  readonly domains: readonly string[];
  readonly operators: readonly string[];
  /** Whether the file refers to weights in other files by path. */
  readonly hasExternalData: boolean;
  /** Metadata of the file's author, by key; longer texts than a word or a list are omitted. */
  readonly metadata: Readonly<Record<string, string>>;
};

type Findings = {
  readonly domains: Set<string>;
  readonly operators: Set<string>;
  hasExternalData: boolean;
};

/** Files with deeper nested graphs (If, Loop) are refused. */
const depthMax = 16;
/** The longest known list of characters, of 18,385, has 66 kB. */
const metadataBytesMax = 1_000_000;
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

/** TensorProto.data_location (14) is an enumeration; decoders keep 32 bits: 1 is EXTERNAL. */
const isExternal = (field: Field): boolean =>
  field.number === 14 && field.kind === "number" && BigInt.asUintN(32, field.value) === 1n;

/** TensorProto: a named location (external_data, 13) counts, with any data_location. */
const visitTensor = (bytes: Uint8Array, found: Findings): void => {
  for (const field of readFields(bytes)) {
    if (field.number === 13 || isExternal(field)) found.hasExternalData = true;
  }
};

const visitSparseTensor = (bytes: Uint8Array, found: Findings): void => {
  for (const field of readFields(bytes)) {
    if (field.kind === "bytes" && (field.number === 1 || field.number === 2)) visitTensor(field.bytes, found);
  }
};

/** AttributeProto: tensors in 5 and 10, sparse ones in 22 and 23, graphs in 6 and 11. */
const visitAttribute = (bytes: Uint8Array, found: Findings, depth: number): void => {
  for (const field of readFields(bytes)) {
    if (field.kind !== "bytes") continue;
    if (field.number === 5 || field.number === 10) visitTensor(field.bytes, found);
    if (field.number === 22 || field.number === 23) visitSparseTensor(field.bytes, found);
    if (field.number === 6 || field.number === 11) visitGraph(field.bytes, found, depth + 1);
  }
};

/** NodeProto: operator in 4, attributes in 5, domain in 7. */
const visitNode = (bytes: Uint8Array, found: Findings, depth: number): void => {
  let domain = "";
  for (const field of readFields(bytes)) {
    if (field.kind !== "bytes") continue;
    if (field.number === 4) found.operators.add(text(field.bytes));
    if (field.number === 5) visitAttribute(field.bytes, found, depth);
    if (field.number === 7) domain = text(field.bytes);
  }
  found.domains.add(domain);
};

/** GraphProto: nodes in 1, initializers in 5 and 15. */
const visitGraph = (bytes: Uint8Array, found: Findings, depth: number): void => {
  if (depth > depthMax) throw new Error("The graphs of the file are nested too deeply");
  for (const field of readFields(bytes)) {
    if (field.kind !== "bytes") continue;
    if (field.number === 1) visitNode(field.bytes, found, depth);
    if (field.number === 5) visitTensor(field.bytes, found);
    if (field.number === 15) visitSparseTensor(field.bytes, found);
  }
};

/** FunctionProto: nodes in 7, defaults of attributes in 11. */
const visitFunction = (bytes: Uint8Array, found: Findings): void => {
  for (const field of readFields(bytes)) {
    if (field.kind !== "bytes") continue;
    if (field.number === 7) visitNode(field.bytes, found, 0);
    if (field.number === 11) visitAttribute(field.bytes, found, 0);
  }
};

/**
 * The runtime reads bytes with this mark as its own format (a FlatBuffers identifier), with any other
 * content.
 */
const isRuntimeFormat = (bytes: Uint8Array): boolean => text(bytes.subarray(4, 8)) === "ORTM";

/** OperatorSetIdProto: domain in 1, version in 2. */
const operatorSetOf = (bytes: Uint8Array): readonly [domain: string, version: number] => {
  let domain = "";
  let version = 0;
  for (const field of readFields(bytes)) {
    if (field.number === 1 && field.kind === "bytes") domain = text(field.bytes);
    if (field.number === 2 && field.kind === "number") version = Number(field.value);
  }
  return [domain, version];
};

/** StringStringEntryProto: key in 1, value in 2. */
const metadataOf = (bytes: Uint8Array): readonly (readonly [key: string, value: string])[] => {
  let [key, value] = ["", ""];
  for (const field of readFields(bytes)) {
    if (field.kind !== "bytes") continue;
    if (field.bytes.length > metadataBytesMax) return [];
    if (field.number === 1) key = text(field.bytes);
    if (field.number === 2) value = text(field.bytes);
  }
  return [[key, value]];
};

/**
 * Reads an ONNX file (onnx.proto, ModelProto: graph 7, operator sets 8, metadata 14, functions 25) without
 * running it. Throws Error where the bytes are no ONNX file.
 */
export const readOnnxFacts = (bytes: Uint8Array): OnnxFacts => {
  if (isRuntimeFormat(bytes)) throw new Error("The file has the runtime's own format, not ONNX");
  const found: Findings = { domains: new Set(), operators: new Set(), hasExternalData: false };
  const operatorSets: (readonly [string, number])[] = [];
  const metadata: (readonly [string, string])[] = [];
  let hasGraph = false;
  for (const field of readFields(bytes)) {
    if (field.kind !== "bytes") continue;
    if (field.number === 7) {
      hasGraph = true;
      visitGraph(field.bytes, found, 0);
    }
    if (field.number === 8) operatorSets.push(operatorSetOf(field.bytes));
    if (field.number === 14) metadata.push(...metadataOf(field.bytes));
    if (field.number === 25) visitFunction(field.bytes, found);
  }
  if (!hasGraph || operatorSets.length === 0) throw new Error("The file holds no graph of operators");
  const { domains, operators, hasExternalData } = found;
  return {
    operatorSets: Object.fromEntries(operatorSets),
    domains: [...domains].toSorted(),
    operators: [...operators].toSorted(),
    hasExternalData,
    metadata: Object.fromEntries(metadata),
  };
};
