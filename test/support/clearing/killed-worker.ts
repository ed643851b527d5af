import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * Runs a process that kills itself at a point (kill-point.ts). Returns how it ended: `SIGKILL`, or its exit
 * code.
 */
export const runWorker = async (
  script: "transfer-worker.ts" | "callback-worker.ts",
  place: object,
  point: string,
): Promise<string> => {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const worker = spawn(process.execPath, [file, JSON.stringify(place), point], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code, signal]: readonly unknown[] = await once(worker, "exit");
  return String(signal ?? code);
};
