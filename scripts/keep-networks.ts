/**
 * Converts the networks of an assembled tree and keeps them in it, so that its starts convert none. Run by
 * assemble.sh.
 *   node scripts/keep-networks.ts
 */
import { keptNetworks } from "#machine/networks/kept-networks";
import { ledger } from "#machine/networks/ledger";
import { readNetworks } from "#machine/networks/network-files";

await readNetworks(ledger, keptNetworks);
