import { runIdem } from "../harness/run-idem.ts";
import { makeHarness } from "../harness/service.ts";
import { type KillOptions, type KillReport, runKillRounds } from "./kill-rounds.ts";
import { faultsOfFile, queryOf, readStoredWork, type StoredWork } from "./stored-work.ts";
import { makeValidationLoad, type ValidationReport } from "./validation-load.ts";

export type ShowOptions = Pick<
  KillOptions,
  "rounds" | "seed" | "lifeMsMax" | "acknowledgedMin" | "processes" | "say"
> & {
  readonly callers: number;
  readonly leaseMs: number;
  /** Longest time from the last restart to the last decision. */
  readonly restMsMax: number;
  /** An empty database for all processes; absent: the embedded store, for one process. */
  readonly postgresUrl?: string;
};

export type ShowReport = KillReport<ValidationReport> & {
  readonly stored: StoredWork;
};

const environmentOf = ({ leaseMs, postgresUrl }: ShowOptions): Readonly<Record<string, string>> => ({
  IDEM_LEASE_MS: String(leaseMs),
  IDEM_RATE_PER_SECOND: "100000",
  IDEM_RATE_BURST: "1000000",
  ...(postgresUrl !== undefined && { IDEM_DATABASE_URL: postgresUrl }),
});

/**
 * Kills the service in rounds under a load of validations, on a store of its own, and judges answers and rows
 * afterwards. The undisturbed answers come from the same service before the first kill.
 */
export const showKills = async (options: ShowOptions): Promise<ShowReport> => {
  const environment = environmentOf(options);
  const harness = await makeHarness();
  try {
    if (options.postgresUrl !== undefined) {
      const migrated = await runIdem(["migrate"], { IDEM_DATA: harness.directory, ...environment });
      if (migrated.code !== 0) throw new Error(`idem migrate: ${migrated.stderr}`);
    }
    const load = await makeValidationLoad(options);
    const killed = await runKillRounds(harness, { ...options, environment }, load);
    const query = queryOf(harness.directory, options.postgresUrl);
    const references = killed.load.acknowledged.map(({ scanReference }) => scanReference);
    const stored = await readStoredWork(query, references, await harness.countBlobFiles());
    const faults = [...stored.faults, ...(await faultsOfFile(harness.directory))];
    return { ...killed, stored: { ...stored, faults } };
  } finally {
    await harness.clear();
  }
};
