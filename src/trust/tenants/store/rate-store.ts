import type { Session } from "#machine/storage/database";
import type { TablesOf } from "#machine/storage/table";
import { type RateAsk, type RateGrant, takeFromBucket } from "./rate.ts";
import type { rateTable } from "./tenant-tables.ts";

export type RateTables = TablesOf<readonly [typeof rateTable]>;

/** Commands for the rate limits of API keys; implemented by {@link makeRateCommands}. */
export type RateCommands = {
  /**
   * Takes the cost of waiting calls from the bucket of a key, which all processes share. The clock of the
   * store decides, so processes with different clocks agree.
   */
  readonly askRate: (
    bucket: { readonly tenantId: string; readonly keyId: string },
    ask: RateAsk,
  ) => Promise<RateGrant>;
};

const usPerSecond = 1_000_000;

/** One bucket for each API key. A key without a row has a full bucket. */
export const makeRateCommands = (session: Session<RateTables>): RateCommands => ({
  askRate: async ({ tenantId, keyId }, ask) => {
    const fullAt = await lockBucket(session, tenantId, keyId);
    const nowUs = await readClock(session);
    const grant = takeFromBucket(fullAt - nowUs, ask);
    if (grant.spareUs === 0 && !grant.granted.includes(true)) {
      return grant;
    }
    // Primary key, one row. Rounded up: a fraction of a microsecond is never given twice.
    await session.db
      .updateTable("rateBuckets")
      .set({ fullAt: Math.ceil(nowUs + grant.missingUs) })
      .where("tenantId", "=", tenantId)
      .where("keyId", "=", keyId)
      .execute();
    return grant;
  },
});

/** The bucket's `fullAt`. Other processes wait for its row until commit. */
const lockBucket = async (session: Session<RateTables>, tenantId: string, keyId: string): Promise<number> => {
  const found = await findBucket(session, tenantId, keyId);
  if (found !== undefined) {
    return found;
  }
  // Primary key: of two processes at the first call of a key one inserts, and the other waits for its row.
  await session.db
    .insertInto("rateBuckets")
    .values({ tenantId, keyId, fullAt: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findBucket(session, tenantId, keyId)) ?? 0;
};

const findBucket = async (
  { db, locksRows }: Session<RateTables>,
  tenantId: string,
  keyId: string,
): Promise<number | undefined> => {
  // Primary key, one row.
  const row = await db
    .selectFrom("rateBuckets")
    .select("fullAt")
    .where("tenantId", "=", tenantId)
    .where("keyId", "=", keyId)
    .$if(locksRows, (query) => query.forUpdate())
    .executeTakeFirst();
  return row?.fullAt;
};

/** SQLite belongs to one process, so the clock of the process is the clock of the store. */
const readClock = async ({ db, locksRows }: Session<RateTables>): Promise<number> => {
  if (!locksRows) {
    return Date.now() * 1000;
  }
  // Reads no table. The time of this statement, after the row was locked.
  const { seconds } = await db
    .selectNoFrom((row) =>
      row.fn<number>("date_part", [row.val("epoch"), row.fn("clock_timestamp")]).as("seconds"),
    )
    .executeTakeFirstOrThrow();
  return seconds * usPerSecond;
};
