import { fork } from "node:child_process";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";

/** What a network is tried with. */
export type TrialWish = {
  /** Absent: its first input. */
  readonly inputName?: string;
  readonly dims: readonly number[];
};

const port = Type.Object({
  name: Type.String(),
  type: Type.String(),
  /** A name stands for a free dimension. */
  dims: Type.Array(Type.Union([Type.Integer(), Type.String()])),
});

const report = Type.Object({
  inputs: Type.Array(port),
  /** Of the run on noise: real dimensions and the values' bounds; the numbers are 0 where a value is not finite. */
  outputs: Type.Array(
    Type.Object({
      name: Type.String(),
      type: Type.String(),
      dims: Type.Array(Type.Integer()),
      isFinite: Type.Boolean(),
      min: Type.Number(),
      max: Type.Number(),
      /** Of the first row of the output: probabilities of classes give 1. */
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

const answerShape = Compile(answer);

/** Opens an ONNX file and runs it once on noise, away from this process. Rejects with Error where that fails. */
export type TryNetwork = (path: string, wish: TrialWish) => Promise<TrialReport>;

/** A network of 260 MB loads in 2 s and runs in .1 s; what takes longer than this does not serve either. */
const trialMsMax = 60_000;

/**
 * Tries a file in a process of its own: a file made to break the runtime breaks nothing else, and one that never ends
 * is ended. The process gets no variable of the service.
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
      if (!answerShape.Check(message)) reject(new Error("The trial answered in words that are not its own"));
      else if (message.kind === "failed") reject(new Error(message.message));
      else resolve(message.report);
      trial.kill("SIGKILL");
    });
    trial.once("error", reject);
    trial.once("exit", (code, signal) => {
      const how = signal === null ? `with code ${code}` : `by ${signal}`;
      reject(
        new Error(`The trial ended ${how} before it could answer: the runtime cannot bear this network`),
      );
    });
    trial.send({ path, wish });
  });
