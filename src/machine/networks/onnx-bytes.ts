import { makeCheck } from "#contract/make-check";
import { convertGraph } from "./conversion/convert.ts";
import { convertDlib } from "./conversion/dlib.ts";
import { readGraphModel } from "./conversion/tensorflow-graph.ts";
import { decodeWeights, manifestSchema } from "./conversion/weights.ts";
import type { LedgerEntry } from "./ledger.ts";
import type { ModelName } from "./model.ts";

const dlibManifest = makeCheck(manifestSchema);

const parse = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString("utf8"));

/** The ONNX file of a network, converted from the package's form: nothing is redistributed. */
export const onnxBytes = (name: ModelName, entry: LedgerEntry, files: readonly Uint8Array[]): Uint8Array => {
  const [first, weights] = files;
  if (first === undefined || weights === undefined) throw new Error(`${name}: no weights file`);
  if (entry.form === "dlib-weights") {
    const groups = dlibManifest.Parse(parse(first));
    return convertDlib(
      decodeWeights(
        groups.flatMap((group) => group.weights),
        weights,
      ),
    );
  }
  const { nodes, weightsManifest: groups } = readGraphModel(parse(first));
  const constants = decodeWeights(
    groups.flatMap((group) => group.weights),
    weights,
  );
  return convertGraph({ name, nodes, constants, outputs: Object.keys(entry.outputs) });
};
