import { join } from "node:path";
import { readConfig } from "#machine/config/config";
import { CommandError } from "../../command.ts";
import { developmentKeyFile, readDevelopmentKey } from "../store/first-key.ts";
import { type CalledService, connect } from "./call-route.ts";

type ServiceValues = { readonly url: string | undefined; readonly "key-from": string | undefined };

/** Finds the service and its key. Fails with CommandError and the next step. */
export const findService = async ({ url, "key-from": variable }: ServiceValues): Promise<CalledService> => {
  const config = readConfig();
  const address = (url ?? `http://127.0.0.1:${config.http.port}`).replace(/\/+$/u, "");
  return connect(address, await findKey(variable, config.dataDirectory));
};

/** The key in the named environment variable, else the development key. Fails with CommandError. */
const findKey = async (variable: string | undefined, directory: string): Promise<string> => {
  if (variable !== undefined) {
    const key = process.env[variable];
    if (!key) throw new CommandError(`The environment variable ${variable} of --key-from is not set.`);
    return key;
  }
  return await readDevelopmentKey(directory).catch(() => {
    throw new CommandError(
      `There is no ${join(directory, developmentKeyFile)}. Name an environment variable with a key: --key-from NAME`,
    );
  });
};
