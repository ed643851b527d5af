/** The process for the trial of an unknown network; `trial.ts` starts it. */
import { readFile } from "node:fs/promises";
import type { InferenceSession } from "onnxruntime-node";
import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { sessionOptions } from "./session-options.ts";
import { refuseTelemetry } from "./telemetry.ts";
import type { TrialReport } from "./trial.ts";

const question = makeCheck(
  Type.Object({
    path: Type.String(),
    wish: Type.Object({
      inputName: Type.Optional(Type.String()),
      dims: Type.Array(Type.Integer({ minimum: 1 })),
    }),
  }),
);

type Question = ReturnType<typeof question.Parse>;
type Output = TrialReport["outputs"][number];

const zero = new Float32Array(1);

const portOf = (port: InferenceSession.ValueMetadata): TrialReport["inputs"][number] =>
  port.isTensor
    ? { name: port.name, type: port.type, dims: [...port.shape] }
    : { name: port.name, type: "no tensor", dims: [] };

const outputOf = (
  name: string,
  tensor: { readonly type: string; readonly dims: readonly number[]; readonly data: unknown },
): Output => {
  const values = tensor.data instanceof Float32Array && tensor.data.length > 0 ? tensor.data : zero;
  const isFinite = values.every((value) => Number.isFinite(value));
  const finite = isFinite ? values : zero;
  const row = finite.subarray(0, tensor.dims.at(-1) ?? 1);
  return {
    name,
    type: tensor.type,
    dims: [...tensor.dims],
    isFinite,
    min: finite.reduce((least, value) => Math.min(least, value)),
    max: finite.reduce((most, value) => Math.max(most, value)),
    sum: row.reduce((sum, value) => sum + value, 0),
  };
};

/** Pixels of every kind, always the same: a linear congruential generator (Numerical Recipes, 7.1). */
const noise = (length: number): Float32Array => {
  let state = 1;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
};

const tryOnce = async ({ path, wish }: Question): Promise<TrialReport> => {
  const { InferenceSession, Tensor } = await import("onnxruntime-node");
  const started = performance.now();
  const session = await InferenceSession.create(await readFile(path), sessionOptions);
  const loaded = performance.now();
  const name = wish.inputName ?? session.inputNames[0] ?? "";
  const inputs = session.inputMetadata.map(portOf);
  const elements = wish.dims.reduce((product, dim) => product * dim, 1);
  const results = await session.run({ [name]: new Tensor("float32", noise(elements), wish.dims) });
  return {
    inputs,
    outputs: Object.entries(results).map(([output, tensor]) => outputOf(output, tensor)),
    loadMs: loaded - started,
    runMs: performance.now() - loaded,
  };
};

refuseTelemetry();
process.once("message", (message) => {
  void tryOnce(question.Parse(message))
    .then((report) => ({ kind: "tried", report }))
    .catch((error: unknown) => ({
      kind: "failed",
      message: error instanceof Error ? error.message : String(error),
    }))
    .then((answer) => process.send?.(answer));
});
