import { fork } from "node:child_process";
import { type Static, Type } from "typebox";
import { makeCheck } from "#contract/make-check";

/** The parameters of a trial. */
export type TrialWish = {
  /** Absent: the first input. */
  readonly inputName?: string;
  readonly dims: readonly number[];
};

const port = Type.Object({
  name: Type.String(),
  type: Type.String(),
  /** A text stands for a free dimension. */
  dims: Type.Array(Type.Union([Type.Integer(), Type.String()])),
});

const report = Type.Object({
  inputs: Type.Array(port),
  /**
   * Outputs of the run on noise: real dimensions and bounds of the values; the numbers are 0 where a value is
   * not finite.
   */
  outputs: Type.Array(
    Type.Object({
      name: Type.String(),
      type: Type.String(),
      dims: Type.Array(Type.Integer()),
      isFinite: Type.Boolean(),
      min: Type.Number(),
      max: Type.Number(),
      /** Sum of the first row of the output: 1 for class probabilities. */
      sum: Type.Number(),
    }),
  ),
  loadMs: Type.Number(),
  runMs: Type.Number(),
});
const answer = Type.Union([
  Type.Object({ kind: Type.Literal("tried"), report }),
  Type.Object({ kind: Type.Literal("failed"), message: Type.String() }),
]);

export type TrialReport = Static<typeof report>;

const answerShape = makeCheck(answer);

/** Opens an ONNX file and runs it once on noise, in another process. Rejects with Error where that fails. */
export type TryNetwork = (path: string, wish: TrialWish) => Promise<TrialReport>;

/** A network of 260 MB loads in 2 s and runs in .1 s; a slower network is not usable. */
const trialMsMax = 60_000;

/**
 * Tries a file in its own process: a malicious file breaks nothing else, and an endless run is ended. The
 * process gets no variable of the service.
 */
export const tryNetwork: TryNetwork = (path, wish) =>
  new Promise((resolve, reject) => {
    const trial = fork(new URL("./trial-process.ts", import.meta.url), {
      env: { ORT_DISABLE_TELEMETRY: "1" },
      execArgv: ["--max-old-space-size=256"],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      timeout: trialMsMax,
      killSignal: "SIGKILL",
    });
    trial.once("message", (message) => {
      if (!answerShape.Check(message)) reject(new Error("The trial gave an unexpected answer"));
      else if (message.kind === "failed") reject(new Error(message.message));
      else resolve(message.report);
      trial.kill("SIGKILL");
    });
    trial.once("error", reject);
    trial.once("exit", (code, signal) => {
      const how = signal === null ? `with code ${code}` : `by ${signal}`;
      reject(new Error(`The trial ended ${how} before it could answer: the runtime cannot run this network`));
    });
    trial.send({ path, wish });
  });
