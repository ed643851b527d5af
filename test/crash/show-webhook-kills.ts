import { runIdem } from "../harness/run-idem.ts";
import { makeHarness } from "../harness/service.ts";
import { endLeases } from "../harness/store-rows.ts";
import { type KillOptions, type KillReport, runKillRounds } from "./kill-rounds.ts";
import { faultsOfFile, type Query, queryOf } from "./stored-work.ts";
import { destinationPaths, makeWebhookLoad, type WebhookReport } from "./webhook-load.ts";

export type WebhookKillOptions = Pick<
  KillOptions,
  "rounds" | "seed" | "lifeMsMax" | "acknowledgedMin" | "processes" | "roles" | "say"
> & {
  readonly callers: number;
  /** Longest time from the last restart to the last arrival. */
  readonly restMsMax: number;
  /** Deliveries that one process has in flight. */
  readonly slots: number;
  /** An empty database for all processes; absent: the embedded store, for one process. */
  readonly postgresUrl?: string;
  /** The leases of the last dead process end at once, on the embedded store. Absent: in their time. */
  readonly endsLeases?: true;
};

export type WebhookKillReport = KillReport<WebhookReport> & {
  /** Rows that do not belong together. */
  readonly faults: readonly string[];
  /** The most repetitions that the kills explain. */
  readonly duplicatesMax: number;
};

/** The lease of a delivery, as in src/app/webhooks.ts. */
const leaseMs = 45_000;

/**
 * Kills the service in rounds while events are delivered, on a store of its own, and judges arrivals and
 * rows.
 */
export const showWebhookKills = async (options: WebhookKillOptions): Promise<WebhookKillReport> => {
  const { postgresUrl, slots } = options;
  const environment = {
    IDEM_DELIVERY_SLOTS: String(slots),
    IDEM_EGRESS_ALLOW: "127.0.0.1",
    IDEM_RATE_PER_SECOND: "100000",
    IDEM_RATE_BURST: "1000000",
    ...(postgresUrl !== undefined && { IDEM_DATABASE_URL: postgresUrl }),
  };
  const harness = await makeHarness();
  const load = await makeWebhookLoad({
    ...options,
    ...(options.endsLeases && {
      endLeases: (lastDeath) =>
        endLeases(harness.directory, "deliveries", new Date(lastDeath.getTime() + leaseMs)),
    }),
  });
  try {
    if (postgresUrl !== undefined) {
      const migrated = await runIdem(["migrate"], { IDEM_DATA: harness.directory, ...environment });
      if (migrated.code !== 0) throw new Error(`idem migrate: ${migrated.stderr}`);
    }
    const killed = await runKillRounds(harness, { ...options, environment }, load);
    const query = queryOf(harness.directory, postgresUrl);
    const faults = [
      ...(await faultsOfDeliveries(query)),
      ...(await faultsOfArrivals(query, killed.load.arrived)),
      ...(await faultsOfFile(harness.directory)),
    ];
    return { ...killed, faults, duplicatesMax: options.rounds * slots };
  } finally {
    load.close();
    await harness.clear();
  }
};

/** Each statement finds the rows of one kind of half state. */
const halfStates: Readonly<Record<string, string>> = {
  "events without a delivery for each destination": `select e.id from events e left join deliveries d
    on d.tenant_id = e.tenant_id and d.event_id = e.id group by e.tenant_id, e.id
    having count(d.destination_id) <> ${destinationPaths.length}`,
  "operations whose events have gaps": `select o.id from operations o left join events e
    on e.tenant_id = o.tenant_id and e.environment = o.environment and e.operation_id = o.id
    group by o.tenant_id, o.environment, o.id, o.last_sequence
    having count(e.id) <> o.last_sequence or max(e.sequence) <> o.last_sequence`,
  "operations without a step": `select o.id from operations o where not exists (select 1 from operation_steps s
    where s.tenant_id = o.tenant_id and s.environment = o.environment and s.operation_id = o.id)`,
  "steps without their transaction": `select s.transaction_id from operation_steps s where not exists
    (select 1 from transactions t where t.tenant_id = s.tenant_id and t.id = s.transaction_id)`,
  "deliveries that are not done":
    "select event_id from deliveries where state <> 'delivered' or leased_by is not null",
  "deliveries whose log has gaps": `select d.event_id from deliveries d left join delivery_attempts a
    on a.tenant_id = d.tenant_id and a.destination_id = d.destination_id and a.event_id = d.event_id
    group by d.tenant_id, d.destination_id, d.event_id, d.attempts
    having count(a.attempt) <> d.attempts or max(a.attempt) <> d.attempts`,
};

/** Each event is stored as delivered where it arrived, and nowhere else. */
const faultsOfArrivals = async (query: Query, arrived: number): Promise<readonly string[]> => {
  const delivered = (await query("select event_id from deliveries where state = 'delivered'")).length;
  return delivered === arrived
    ? []
    : [`${delivered} deliveries are stored as delivered, and ${arrived} arrived`];
};

const faultsOfDeliveries = async (query: Query): Promise<readonly string[]> => {
  const faults: string[] = [];
  for (const [name, sql] of Object.entries(halfStates)) {
    const rows = await query(sql);
    if (rows.length > 0) faults.push(`${rows.length} ${name}: ${JSON.stringify(rows[0])}`);
  }
  return faults;
};
