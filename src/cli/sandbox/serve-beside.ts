import { say } from "../command.ts";
import { aborted } from "../kit/end-signals.ts";
import { startService } from "../kit/service/service-process.ts";
import type { StartedSandbox } from "./start.ts";

/** Runs the service with the settings of the sandbox until the end is asked or it ends by itself. */
export const serveBeside = async (
  { files: { variables }, apiKey }: StartedSandbox,
  ending: AbortSignal,
): Promise<number> => {
  const { IDEM_DATA: directory = "", ...others } = variables;
  const service = await startService(directory, others, ending);
  say(`The service is ready at ${service.url}, with the test key ${apiKey}`);
  const ended = await Promise.race([service.ended, aborted(ending).then(() => service.stop())]);
  return ended === 0 ? 0 : 1;
};
