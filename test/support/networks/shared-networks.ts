import type { PixelMemory } from "#machine/imaging/pixel-memory";
import { ledger } from "#machine/networks/ledger";
import { openNetworks } from "#machine/networks/networks";

let opened: ReturnType<typeof openNetworks> | undefined;

/** The bundled networks, opened once for all test files of a worker: opening them takes seconds. */
export const sharedNetworks = (): ReturnType<typeof openNetworks> => {
  opened ??= openNetworks(ledger);
  return opened;
};

/** The bundled networks with their large outputs in a memory; those of all test files without one. */
export const networksIn = (memory: PixelMemory | undefined): ReturnType<typeof openNetworks> =>
  memory === undefined
    ? sharedNetworks()
    : openNetworks(ledger, undefined, [], { takeFloats: memory.takeFloats });
