import type { SealedTransaction, Step, TokenUse, TransactionRecord } from "#record/transactions/record";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import {
  insertTransaction,
  type TransactionTables,
  useTokens,
} from "#record/transactions/store/transaction-store";
import type { KeyTables } from "#trust/key-ring/key-store";
import { isUnchangedSince } from "./face-list-store.ts";
import { deleteReferences, joinReference, listReferences } from "./reference-store.ts";
import { requireFaceKeys } from "./require-face-keys.ts";
import type {
  Attempt,
  AttemptAnswer,
  FurtherReference,
  NewTemplate,
  NewUser,
  User,
  UserName,
} from "./user.ts";
import type { UserColumns, UserTables } from "./user-tables.ts";

/** Commands for registered users; implemented by {@link makeUserCommands}, which takes sealed records. */
export type UserCommands<Recorded = TransactionRecord> = {
  readonly findUser: (tenantId: string, pseudonym: string) => Promise<User | undefined>;
  /** The further references of a user, the eldest first; at most two. */
  readonly listReferences: (user: Pick<User, "tenantId" | "id">) => Promise<readonly FurtherReference[]>;
  /** The registered users among up to 1000 pseudonyms. */
  readonly listUserNames: (tenantId: string, pseudonyms: readonly string[]) => Promise<readonly UserName[]>;
  /**
   * False, and nothing written, when the pseudonym is registered already, or when a face was added to one of
   * the tenant's lists after evidence position `searchedAt` (absent: no such check). Fails with
   * token_replayed, and with store_unavailable when the tenant's data key was destroyed meanwhile.
   */
  readonly enrolUser: (
    user: NewUser,
    record: Recorded,
    uses: readonly TokenUse[],
    step: Step,
    searchedAt?: number,
  ) => Promise<boolean>;
  /**
   * Counts the attempt with its transaction and step. The attempt that disables the user, and the reference
   * that joins, add their evidence. Fails with token_replayed, and with store_unavailable when the data key
   * of a joining reference was destroyed meanwhile.
   */
  readonly recordAttempt: (
    attempt: Attempt,
    record: Recorded,
    uses: readonly TokenUse[],
    step: Step,
  ) => Promise<AttemptAnswer>;
  /**
   * Replaces the template of `revision`; the old template's key and the further references are deleted with
   * it. Returns and fails as `recordAttempt`. With `searchedAt` it also returns `changed` when a face was
   * added to a list since, as `enrolUser`.
   */
  readonly replaceTemplate: (
    template: NewTemplate,
    record: Recorded,
    step: Step,
    searchedAt?: number,
  ) => Promise<AttemptAnswer>;
  /** Removes the users in `names` with their keys. Returns false and writes nothing if a user has changed. */
  readonly deleteUsers: (
    tenantId: string,
    names: readonly UserName[],
    record: Recorded,
    step: Step,
  ) => Promise<boolean>;
  /** Ends pause and disabling. Returns false and writes nothing if the user does not exist. */
  readonly enableUser: (tenantId: string, userId: string, step: Step) => Promise<boolean>;
  /** Removes up to 1000 users whose data key was destroyed: they cannot be opened. Returns their number. */
  readonly purgeUsers: () => Promise<number>;
};

/** Commands after which the disk must no longer hold a template's key. */
export const erasingUserCommands = [
  "replaceTemplate",
  "deleteUsers",
] as const satisfies readonly (keyof UserCommands)[];

type UserSession = StepSession<UserTables & KeyTables & TransactionTables>;

/** Longest list that one command deletes, so other commands wait only milliseconds for it. */
const purgedMax = 1000;

/** Registered users, under their pseudonyms. */
export const makeUserCommands = (session: UserSession): UserCommands<SealedTransaction> => ({
  ...makeAnswerCommands(session),

  findUser: async (tenantId, pseudonym) => {
    const row = await findRow(session, tenantId, pseudonym, false);
    return row && userOf(row);
  },

  listReferences: (user) => listReferences(session, user),

  listUserNames: async (tenantId, pseudonyms) => {
    if (pseudonyms.length === 0) {
      return [];
    }
    // Primary key, one probe per pseudonym.
    return await session.db
      .selectFrom("users")
      .select(["pseudonym", "id", "keyId"])
      .where("tenantId", "=", tenantId)
      .where("pseudonym", "in", pseudonyms)
      .orderBy("pseudonym")
      .execute();
  },

  enableUser: async (tenantId, userId, step) => {
    // Unique index people_id, one row.
    const { numUpdatedRows } = await session.db
      .updateTable("users")
      .set({ failures: 0, pausedUntil: null, disabledAt: null })
      .where("tenantId", "=", tenantId)
      .where("id", "=", userId)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) {
      return false;
    }
    await writeStep(session, tenantId, step);
    return true;
  },

  purgeUsers: () => purge(session),
});

type AnswerCommands = Pick<
  UserCommands<SealedTransaction>,
  "enrolUser" | "recordAttempt" | "replaceTemplate" | "deleteUsers"
>;

/**
 * The commands that answer calls. A row is locked before it is checked: of two calls for the same user,
 * the second sees the first.
 */
const makeAnswerCommands = (session: UserSession): AnswerCommands => ({
  enrolUser: async (user, record, uses, step, searchedAt) => {
    await requireFaceKeys(session, user);
    if ((await isOvertaken(session, user, searchedAt)) || !(await insertUser(session, user))) {
      return false;
    }
    await useTokens(session, user.tenantId, uses);
    await writeAnswer(session, record, step);
    return true;
  },

  recordAttempt: async (attempt, record, uses, step) => {
    const { tenantId, pseudonym, disabling } = attempt;
    const row = await findRow(session, tenantId, pseudonym, true);
    const obstacle = obstacleOf(row, attempt);
    if (row === undefined || obstacle !== undefined) {
      return obstacle ?? { kind: "changed" };
    }
    await useTokens(session, tenantId, uses);
    const disables = await countAttempt(session, attempt, row.failures);
    const joined = await joinReference(session, attempt, row.id);
    const evidence = [...step.evidence, ...(disables ? [disabling] : []), ...joined];
    await writeAnswer(session, record, { ...step, evidence });
    return { kind: "recorded" };
  },

  replaceTemplate: async (template, record, step, searchedAt) => {
    const row = await findRow(session, template.tenantId, template.pseudonym, true);
    const obstacle = obstacleOf(row, template);
    if (row === undefined || obstacle !== undefined) {
      return obstacle ?? { kind: "changed" };
    }
    await requireFaceKeys(session, template);
    if (await isOvertaken(session, template, searchedAt)) {
      return { kind: "changed" };
    }
    await overwriteTemplate(session, template);
    await deleteReferences(session, row);
    await writeAnswer(session, record, step);
    return { kind: "recorded" };
  },

  deleteUsers: async (tenantId, names, record, step) => {
    if (!(await lockAsNamed(session, tenantId, names))) {
      return false;
    }
    for (const { id } of names) {
      // Unique index people_id, one row.
      await session.db.deleteFrom("users").where("tenantId", "=", tenantId).where("id", "=", id).execute();
    }
    await writeAnswer(session, record, step);
    return true;
  },
});

/** Whether a face was added to a list since the search; false without `searchedAt`. */
const isOvertaken = async (
  session: UserSession,
  { tenantId }: Pick<User, "tenantId">,
  searchedAt: number | undefined,
): Promise<boolean> => searchedAt !== undefined && !(await isUnchangedSince(session, tenantId, searchedAt));

const findRow = async (
  { db, locksRows }: UserSession,
  tenantId: string,
  pseudonym: string,
  isToChange: boolean,
): Promise<UserColumns | undefined> =>
  // Primary key, one row.
  await db
    .selectFrom("users")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("pseudonym", "=", pseudonym)
    .$if(isToChange && locksRows, (query) => query.forUpdate())
    .executeTakeFirst();

/** Locks in one order, so two deletions of the same users cannot deadlock. False if a user has changed. */
const lockAsNamed = async (
  session: UserSession,
  tenantId: string,
  names: readonly UserName[],
): Promise<boolean> => {
  for (const { pseudonym, id, keyId } of [...names].sort((a, b) => (a.pseudonym < b.pseudonym ? -1 : 1))) {
    const row = await findRow(session, tenantId, pseudonym, true);
    if (row?.id !== id || row.keyId !== keyId) {
      return false;
    }
  }
  return true;
};

const insertUser = async ({ db }: UserSession, { enrolledAt, ...user }: NewUser): Promise<boolean> => {
  const at = enrolledAt.getTime();
  const fresh = {
    revision: 1,
    enrolledAt: at,
    renewedAt: at,
    failures: 0,
    pausedUntil: null,
    disabledAt: null,
  };
  // Primary key: of two simultaneous enrolments one inserts; the other waits and inserts nothing.
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("users")
    .values({ ...user, ...fresh })
    .onConflict((conflict) => conflict.columns(["tenantId", "pseudonym"]).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
};

/** The reason why a call does not count; undefined if there is none. */
const obstacleOf = (
  row: UserColumns | undefined,
  { revision, at }: Pick<Attempt, "revision" | "at">,
): AttemptAnswer | undefined => {
  if (row === undefined || row.revision !== revision) {
    return { kind: "changed" };
  }
  const isPaused = row.pausedUntil !== null && row.pausedUntil > at.getTime();
  if (row.disabledAt === null && !isPaused) {
    return undefined;
  }
  const { pausedUntil, disabledAt } = userOf(row);
  return { kind: "held", ...(pausedUntil && { pausedUntil }), ...(disabledAt && { disabledAt }) };
};

/** Updates the failures in a row; true if this attempt disables the user. The caller holds the row lock. */
const countAttempt = async ({ db }: UserSession, attempt: Attempt, before: number): Promise<boolean> => {
  const { tenantId, pseudonym, finding, at, throttle } = attempt;
  if (finding === "nothing") {
    return false;
  }
  const failures = finding === "match" ? 0 : before + 1;
  const disables = failures >= throttle.disableAt;
  const pausedUntil = failures >= throttle.pauseFrom ? at.getTime() + throttle.pauseMs : null;
  // Primary key, one row.
  await db
    .updateTable("users")
    .set({ failures, pausedUntil, disabledAt: disables ? at.getTime() : null })
    .where("tenantId", "=", tenantId)
    .where("pseudonym", "=", pseudonym)
    .execute();
  return disables;
};

const overwriteTemplate = async ({ db }: UserSession, template: NewTemplate): Promise<void> => {
  const { tenantId, pseudonym, revision, at, ...sealed } = template;
  // Primary key, one row.
  await db
    .updateTable("users")
    .set({ ...sealed, revision: revision + 1, renewedAt: at.getTime() })
    .where("tenantId", "=", tenantId)
    .where("pseudonym", "=", pseudonym)
    .execute();
};

const writeAnswer = async (session: UserSession, record: SealedTransaction, step: Step): Promise<void> => {
  await insertTransaction(session, record);
  await writeStep(session, record.tenantId, step);
};

const purge = async ({ db }: UserSession): Promise<number> => {
  // Index people_data_key under each destroyed key; a tenant has a handful of keys.
  const { numDeletedRows } = await db
    .deleteFrom("users")
    .where((row) =>
      row(
        row.refTuple("tenantId", "pseudonym"),
        "in",
        row
          .selectFrom("keys")
          .innerJoin("users as dead", (join) =>
            join.onRef("dead.tenantId", "=", "keys.tenantId").onRef("dead.dataKeyId", "=", "keys.id"),
          )
          .select(["dead.tenantId", "dead.pseudonym"])
          .where("keys.destroyedAt", "is not", null)
          .limit(purgedMax)
          .$asTuple("tenantId", "pseudonym"),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};

const userOf = (row: UserColumns): User => {
  const { enrolledAt, renewedAt, pausedUntil, disabledAt, ...rest } = row;
  return {
    ...rest,
    wrappedKey: new Uint8Array(row.wrappedKey),
    sealedTransform: new Uint8Array(row.sealedTransform),
    sealedTemplate: new Uint8Array(row.sealedTemplate),
    enrolledAt: new Date(enrolledAt),
    renewedAt: new Date(renewedAt),
    ...(pausedUntil === null ? {} : { pausedUntil: new Date(pausedUntil) }),
    ...(disabledAt === null ? {} : { disabledAt: new Date(disabledAt) }),
  };
};
