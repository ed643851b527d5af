import type { BlobTables } from "./blob-store.ts";
import type { Session } from "./database.ts";
import type { ObjectFault } from "./judge-object.ts";
import type { ObjectName } from "./objects.ts";
import type { damagedBlobTable, scrubTable } from "./scrub-tables.ts";
import type { TablesOf } from "./table.ts";

/** A round over all stored objects, and the last complete one. */
export type Scrub = {
  readonly startedAt: Date;
  /** Objects that this round has checked, and how many of them are damaged. */
  readonly checked: number;
  readonly damaged: number;
  /** The end of the last complete round; absent before the first. */
  readonly completed?: { readonly at: Date; readonly checked: number; readonly damaged: number };
};

/** The place of a round, for the process that leases it. `after` is absent at its start. */
export type ScrubPlace = Scrub & { readonly after?: ObjectName };

/** An object that a scrub found damaged. Its row is still there. */
export type DamagedBlob = ObjectName & { readonly fault: ObjectFault | "unopened"; readonly foundAt: Date };

export type ScrubLease = { readonly worker: string; readonly now: Date; readonly until: Date };

/** What a step of a round found. */
export type ScrubStep = {
  readonly worker: string;
  readonly at: Date;
  readonly until: Date;
  /** The last object of the step; absent: the round is complete. */
  readonly after?: ObjectName;
  readonly checked: number;
  readonly damaged: readonly Omit<DamagedBlob, "foundAt">[];
  /** Objects of the step that are as their rows state. */
  readonly whole: readonly ObjectName[];
};

export type ScrubTables = BlobTables & TablesOf<readonly [typeof scrubTable, typeof damagedBlobTable]>;

/** Commands of the scrub; implemented by {@link makeScrubCommands}. */
export type ScrubCommands = {
  /**
   * The place where the scrub goes on, for one process until `until`. Undefined while another process has it.
   */
  readonly leaseScrub: (lease: ScrubLease) => Promise<ScrubPlace | undefined>;
  /** Keeps what a step found and moves on. False, and nothing written, when another process has the lease. */
  readonly moveScrub: (step: ScrubStep) => Promise<boolean>;
  /** Begins a round at the first object. False, and nothing written, when another process has the lease. */
  readonly beginScrub: (lease: ScrubLease) => Promise<boolean>;
  /** Undefined before the first round. */
  readonly readScrub: () => Promise<Scrub | undefined>;
  /**
   * Damaged objects whose rows are there, in the order of tenant and id: at most `limit`, and their number.
   */
  readonly listDamaged: (
    limit: number,
  ) => Promise<{ readonly count: number; readonly blobs: readonly DamagedBlob[] }>;
};

/** The one row of `scrubs`. */
const name = "blobs";

/** Rounds over the stored objects: one process at a time. */
export const makeScrubCommands = (session: Session<ScrubTables>): ScrubCommands => ({
  ...makeRounds(session),
  ...makeScrubReads(session),
});

const makeRounds = ({
  db,
}: Session<ScrubTables>): Pick<ScrubCommands, "leaseScrub" | "moveScrub" | "beginScrub"> => ({
  leaseScrub: async ({ worker, now, until }) => {
    // Primary key, one row: of two processes at the same moment one inserts.
    await db
      .insertInto("scrubs")
      .values({ name, leasedBy: worker, leasedUntil: until.getTime(), ...startOf(now), ...noRound })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Primary key, one row; the condition lets one process through.
    const row = await db
      .updateTable("scrubs")
      .set({ leasedBy: worker, leasedUntil: until.getTime() })
      .where("name", "=", name)
      .where((of) => of.or([of("leasedBy", "=", worker), of("leasedUntil", "<", now.getTime())]))
      .returningAll()
      .executeTakeFirst();
    return row && placeOf(row);
  },

  moveScrub: async ({ worker, at, until, after, checked, damaged, whole }) => {
    // Primary key, one row; only the holder of the lease moves.
    const row = await db
      .updateTable("scrubs")
      .set((of) => ({
        leasedUntil: until.getTime(),
        checked: of("checked", "+", checked),
        damaged: of("damaged", "+", damaged.length),
        ...(after && { afterTenant: after.tenantId, afterId: after.id }),
      }))
      .where("name", "=", name)
      .where("leasedBy", "=", worker)
      .returning(["checked", "damaged"])
      .executeTakeFirst();
    if (row === undefined) return false;
    await keepDamage(db, damaged, whole, at);
    if (after === undefined) await complete(db, row, at);
    return true;
  },

  beginScrub: async ({ worker, now, until }) => {
    // Primary key, one row.
    const { numUpdatedRows } = await db
      .updateTable("scrubs")
      .set({ leasedUntil: until.getTime(), ...startOf(now) })
      .where("name", "=", name)
      .where("leasedBy", "=", worker)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },
});

const noRound = { completedAt: null, completedChecked: 0, completedDamaged: 0 } as const;

const startOf = (now: Date) => ({
  startedAt: now.getTime(),
  afterTenant: "",
  afterId: "",
  checked: 0,
  damaged: 0,
});

const keepDamage = async (
  db: Session<ScrubTables>["db"],
  damaged: ScrubStep["damaged"],
  whole: readonly ObjectName[],
  at: Date,
): Promise<void> => {
  for (const { tenantId, id, fault } of damaged) {
    // Primary key, one row: the first finding keeps its time.
    await db
      .insertInto("damagedBlobs")
      .values({ tenantId, id, fault, foundAt: at.getTime() })
      .onConflict((conflict) => conflict.columns(["tenantId", "id"]).doUpdateSet({ fault }))
      .execute();
  }
  if (whole.length === 0) return;
  // Primary key, one probe for each object of the step: what a repair or a better disk gave back.
  await db
    .deleteFrom("damagedBlobs")
    .where((of) =>
      of(
        of.refTuple("tenantId", "id"),
        "in",
        whole.map(({ tenantId, id }) => of.tuple(tenantId, id)),
      ),
    )
    .execute();
};

const complete = async (
  db: Session<ScrubTables>["db"],
  { checked, damaged }: Pick<Scrub, "checked" | "damaged">,
  at: Date,
): Promise<void> => {
  // Primary key, one row.
  await db
    .updateTable("scrubs")
    .set({ completedAt: at.getTime(), completedChecked: checked, completedDamaged: damaged })
    .where("name", "=", name)
    .execute();
  // Full scan of the damage: a handful of rows. Their blobs were removed meanwhile.
  await db
    .deleteFrom("damagedBlobs")
    .where((of) =>
      of.not(
        of.exists(
          of
            .selectFrom("blobs")
            .select("blobs.id")
            .whereRef("blobs.tenantId", "=", "damagedBlobs.tenantId")
            .whereRef("blobs.id", "=", "damagedBlobs.id"),
        ),
      ),
    )
    .execute();
};

const makeScrubReads = ({ db }: Session<ScrubTables>): Pick<ScrubCommands, "readScrub" | "listDamaged"> => ({
  readScrub: async () => {
    // Primary key, one row.
    const row = await db.selectFrom("scrubs").selectAll().where("name", "=", name).executeTakeFirst();
    return row && scrubOf(row);
  },

  listDamaged: async (limit) => {
    // Full scan of the damage, a handful of rows, with a probe of the primary key of blobs for each.
    const rows = await db
      .selectFrom("damagedBlobs")
      .innerJoin("blobs", (join) =>
        join.onRef("blobs.tenantId", "=", "damagedBlobs.tenantId").onRef("blobs.id", "=", "damagedBlobs.id"),
      )
      .select(["damagedBlobs.tenantId", "damagedBlobs.id", "fault", "foundAt"])
      .orderBy("damagedBlobs.tenantId")
      .orderBy("damagedBlobs.id")
      .execute();
    const blobs = rows
      .slice(0, limit)
      .map(({ foundAt, ...blob }) => ({ ...blob, foundAt: new Date(foundAt) }));
    return { count: rows.length, blobs };
  },
});

type ScrubColumns = ScrubTables["scrubs"];

const placeOf = (row: ScrubColumns): ScrubPlace => ({
  ...scrubOf(row),
  ...(row.afterId !== "" && { after: { tenantId: row.afterTenant, id: row.afterId } }),
});

const scrubOf = (row: ScrubColumns): Scrub => ({
  startedAt: new Date(row.startedAt),
  checked: row.checked,
  damaged: row.damaged,
  ...(row.completedAt !== null && {
    completed: {
      at: new Date(row.completedAt),
      checked: row.completedChecked,
      damaged: row.completedDamaged,
    },
  }),
});
