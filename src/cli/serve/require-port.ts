import { findStoreHolder } from "#app/storage";
import type { Config } from "#machine/config/config";
import { CommandError } from "../command.ts";
import { findListener } from "../kit/service/listener.ts";
import { explainListen, tryListen } from "../kit/service/listening.ts";

/**
 * Fails with a clear message where the port cannot be opened. If a service uses the same directory, the
 * directory's lock gives a better message.
 */
export const requirePort = async (config: Config): Promise<void> => {
  const refusal = await tryListen(config.http);
  if (refusal === undefined || (await findStoreHolder(config)) !== undefined) return;
  const { kind } = await findListener(config);
  const holder = kind === "service" ? "another process of Idem" : "another program";
  throw new CommandError(explainListen(refusal, config.http, holder), { cause: refusal });
};
