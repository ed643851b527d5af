import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { say } from "../../command.ts";
import { listenForEnd } from "../end-signals.ts";
import { type SandboxProcess, startSandboxProcess } from "./sandbox-process.ts";
import { type ServiceProcess, startService } from "./service-process.ts";

export type SandboxedService = {
  readonly service: ServiceProcess;
  /** The data directory of the service. */
  readonly directory: string;
  readonly sandbox: SandboxProcess;
};

/**
 * Gives `use` a sandbox and a service with its settings, two processes in a fresh temporary directory, and
 * removes all of it afterwards. SIGTERM or SIGINT ends both; a failure of `use` after that is no error of its
 * own, and the result is 1.
 */
export const withSandboxedService = async (
  name: string,
  environment: Readonly<Record<string, string>>,
  use: (started: SandboxedService) => Promise<number>,
): Promise<number> => {
  const ending = listenForEnd();
  const folder = await mkdtemp(join(tmpdir(), `idem-${name}-`));
  say(`Starting the sandbox and the service in a fresh directory, ${folder} …`);
  try {
    const sandbox = await startSandboxProcess(folder, ending);
    try {
      const { IDEM_DATA: directory = "", ...variables } = sandbox.variables;
      const service = await startService(directory, { ...variables, ...environment }, ending);
      try {
        return await use({ service, directory, sandbox });
      } finally {
        await service.stop();
      }
    } finally {
      await sandbox.stop();
    }
  } catch (error) {
    if (!ending.aborted) throw error;
    say("Ended by a signal before the work was done.");
    return 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
