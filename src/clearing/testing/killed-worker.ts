import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export type WorkerPlace = {
  readonly folder: string;
  readonly masterKey: string;
  readonly entityUrl: string;
  readonly certificates: string;
  readonly isRepeatable: boolean;
};

const script = fileURLToPath(new URL("transfer-worker.ts", import.meta.url));

/** Starts a process that runs transfers. With a point it kills itself there: `move 2 before`. */
export const startWorker = (place: WorkerPlace, point = ""): ChildProcess =>
  spawn(
    process.execPath,
    [
      script,
      place.folder,
      place.masterKey,
      place.entityUrl,
      place.certificates,
      String(place.isRepeatable),
      point,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );

/** How a process ended: its signal, or its exit code. */
export const endOf = async (worker: ChildProcess): Promise<string> => {
  const [code, signal]: readonly unknown[] = await once(worker, "exit");
  return String(signal ?? code);
};

/** Resolves when the process has opened its store and looks for transfers. */
export const started = async ({ stdout }: ChildProcess): Promise<void> => {
  if (stdout === null) throw new Error("The worker has no output");
  await once(stdout, "data");
};
