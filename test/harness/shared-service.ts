import { join } from "node:path";
import { startService } from "#cli/kit/service/service-process";
import { exampleSettings } from "#contract/examples/calls";
import { startRegistry } from "./registry.ts";
import type { Started } from "./shared-setup.ts";

/** For all tests that need no other: a machine with other work draws and reads for minutes. */
const settings = {
  IDEM_LOG_LEVEL: "error",
  IDEM_WORKERS: "2",
  IDEM_SIGNING_THREADS: "1",
  IDEM_REQUEST_TIMEOUT_MS: "120000",
  ORT_DISABLE_TELEMETRY: "1",
  ...exampleSettings,
};

/** The service of all tests of a run, with a registry of Ecuador that has one person (registry.ts). */
export const startSharedService = async (folder: string): Promise<Started> => {
  const directory = join(folder, "data");
  const registry = await startRegistry({ directory });
  const { url, stop } = await startService(directory, { ...settings, ...registry.environment });
  const end = async (): Promise<void> => {
    const code = await stop();
    registry.close();
    if (code !== 0) throw new Error(`The service of all tests ended with ${code}`);
  };
  return { shown: { url, directory }, end };
};
