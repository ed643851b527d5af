import { ledger } from "../ledger.ts";
import { openNetworks } from "../networks.ts";

let opened: ReturnType<typeof openNetworks> | undefined;

/** The bundled networks, opened once for all test files of a worker: opening them takes seconds. */
export const sharedNetworks = (): ReturnType<typeof openNetworks> => {
  opened ??= openNetworks(ledger);
  return opened;
};
