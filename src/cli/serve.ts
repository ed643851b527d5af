import { readConfig, summariseConfig } from "../config.ts";
import { openIdem } from "../main.ts";
import type { ReadyConfig } from "../open-storage.ts";
import { type Command, opening, parseOptions, say } from "./command.ts";
import { aborted, listenForEnd } from "./end-signals.ts";
import { makeFirstKey, prepareDirectory } from "./first-start.ts";

export const serve: Command = {
  summary: "run the service until SIGTERM or SIGINT",
  help: `Usage: idem serve [--settings]

Runs the service. The first start in development makes the data directory, a master key, the deployment's token key, a
test tenant and a test key, and prints how to go on. SIGTERM or SIGINT drains: running calls finish, new ones are
refused. A second signal ends at once.

  --settings   print every setting in force (secrets only as "set" or "not set") and end`,
  run: async (args) => {
    const { values } = parseOptions(args, { settings: { type: "boolean" } });
    if (values.settings === true) {
      summariseConfig().forEach(([variable, value]) => say(`${variable.padEnd(28)}${value}`));
      return 0;
    }
    const config = await prepareDirectory(readConfig());
    const ending = aborted(listenForEnd());
    const idem = await Promise.race([opening(openIdem(config)), ending]);
    if (idem === undefined) {
      say("Ended before it was ready: nothing was accepted yet.");
      return 0;
    }
    const firstKey = await makeFirstKey(config, idem.store);
    const address = await idem.server.listen({ host: config.http.host, port: config.http.port });
    welcome(config, address, firstKey);
    await ending;
    say("Draining: running calls finish, new ones are refused.");
    await idem.stop();
    return 0;
  },
};

const welcome = (config: ReadyConfig, address: string, firstKey: string | undefined): void => {
  if (firstKey !== undefined) {
    say(`Made in ${config.dataDirectory}: master key, token key, a test tenant and its key.`);
    say("The key is shown once (it also lies in the file development-key there, for idem demo):");
    say(`  ${firstKey}`);
    say();
    say("Try it:");
    say(`  ${tryOut(address, firstKey)}`);
    say();
  }
  say(`Documentation: ${address}/docs`);
  say(`Idem is ready at ${address}`);
};

/** The smallest PNG there is: no face is in it, and the answer says so in the shape of a real one. */
const onePixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A call that works as it stands: pasted into a shell, it is answered with HTTP 200 and `None…`. */
const tryOut = (address: string, key: string): string =>
  `curl -s ${address}/services/evaluatePassiveLiveness -H 'x-api-key: ${key}' -H 'content-type: application/json' -d '{"imageBuffer":"${onePixel}"}'`;
