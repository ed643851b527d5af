import { requireDataKey } from "./data-key-lock.ts";
import type { PersonColumns, Session } from "./database.ts";
import { isUnchangedSince } from "./face-list-store.ts";
import type {
  Attempt,
  AttemptAnswer,
  NewPerson,
  NewTemplate,
  PeopleCommands,
  Person,
  PersonName,
} from "./person.ts";
import { writeStep } from "./step-store.ts";
import type { Step, TransactionRecord } from "./store.ts";
import { insertTransaction, useTokens } from "./transaction-store.ts";

/** Longest list that one command deletes, so that other commands wait milliseconds for it. */
const purgedMax = 1000;

/** Registered users, under their pseudonyms. */
export const makePeopleCommands = (session: Session): PeopleCommands => ({
  ...makeAnswerCommands(session),

  findPerson: async (tenantId, pseudonym) => {
    const row = await findRow(session, tenantId, pseudonym, false);
    return row && personOf(row);
  },

  listPersonNames: async (tenantId, pseudonyms) => {
    if (pseudonyms.length === 0) {
      return [];
    }
    // Primary key, one probe a pseudonym.
    return await session.db
      .selectFrom("people")
      .select(["pseudonym", "id", "keyId"])
      .where("tenantId", "=", tenantId)
      .where("pseudonym", "in", pseudonyms)
      .orderBy("pseudonym")
      .execute();
  },

  enablePerson: async (tenantId, personId, step) => {
    // Unique index people_id, one row.
    const { numUpdatedRows } = await session.db
      .updateTable("people")
      .set({ failures: 0, pausedUntil: null, disabledAt: null })
      .where("tenantId", "=", tenantId)
      .where("id", "=", personId)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) {
      return false;
    }
    await writeStep(session, tenantId, step);
    return true;
  },

  purgePeople: () => purge(session),
});

/** What calls change. A row is locked before it is judged, so that of two calls for one person the second sees the first. */
const makeAnswerCommands = (
  session: Session,
): Pick<PeopleCommands, "enrolPerson" | "recordAttempt" | "replaceTemplate" | "deletePeople"> => ({
  enrolPerson: async (person, record, uses, step, searchedAt) => {
    await requireDataKey(session, person);
    if ((await isOvertaken(session, person, searchedAt)) || !(await insertPerson(session, person))) {
      return false;
    }
    await useTokens(session, person.tenantId, uses);
    await writeAnswer(session, record, step);
    return true;
  },

  recordAttempt: async (attempt, record, uses) => {
    const { tenantId, pseudonym, disabling } = attempt;
    const row = await findRow(session, tenantId, pseudonym, true);
    const obstacle = obstacleOf(row, attempt);
    if (row === undefined || obstacle !== undefined) {
      return obstacle ?? { kind: "changed" };
    }
    await useTokens(session, tenantId, uses);
    const disables = await countAttempt(session, attempt, row.failures);
    await writeAnswer(session, record, { events: [], evidence: disables ? [disabling] : [] });
    return { kind: "recorded" };
  },

  replaceTemplate: async (template, record, step, searchedAt) => {
    const row = await findRow(session, template.tenantId, template.pseudonym, true);
    const obstacle = obstacleOf(row, template);
    if (obstacle !== undefined) {
      return obstacle;
    }
    await requireDataKey(session, template);
    if (await isOvertaken(session, template, searchedAt)) {
      return { kind: "changed" };
    }
    await overwriteTemplate(session, template);
    await writeAnswer(session, record, step);
    return { kind: "recorded" };
  },

  deletePeople: async (tenantId, names, record, step) => {
    if (!(await lockAsNamed(session, tenantId, names))) {
      return false;
    }
    for (const { id } of names) {
      // Unique index people_id, one row.
      await session.db.deleteFrom("people").where("tenantId", "=", tenantId).where("id", "=", id).execute();
    }
    await writeAnswer(session, record, step);
    return true;
  },
});

/** Whether a face came to a list since it was searched; never where that does not matter. */
const isOvertaken = async (
  session: Session,
  { tenantId }: Pick<Person, "tenantId">,
  searchedAt: number | undefined,
): Promise<boolean> => searchedAt !== undefined && !(await isUnchangedSince(session, tenantId, searchedAt));

const findRow = async (
  { db, locksRows }: Session,
  tenantId: string,
  pseudonym: string,
  isToChange: boolean,
): Promise<PersonColumns | undefined> =>
  // Primary key, one row.
  await db
    .selectFrom("people")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("pseudonym", "=", pseudonym)
    .$if(isToChange && locksRows, (query) => query.forUpdate())
    .executeTakeFirst();

/** In one order, so that two deletions of the same people cannot wait for each other. False where one is not as named. */
const lockAsNamed = async (
  session: Session,
  tenantId: string,
  names: readonly PersonName[],
): Promise<boolean> => {
  for (const { pseudonym, id, keyId } of [...names].sort((a, b) => (a.pseudonym < b.pseudonym ? -1 : 1))) {
    const row = await findRow(session, tenantId, pseudonym, true);
    if (row?.id !== id || row.keyId !== keyId) {
      return false;
    }
  }
  return true;
};

const insertPerson = async ({ db }: Session, { enrolledAt, ...person }: NewPerson): Promise<boolean> => {
  const at = enrolledAt.getTime();
  const fresh = {
    revision: 1,
    enrolledAt: at,
    renewedAt: at,
    failures: 0,
    pausedUntil: null,
    disabledAt: null,
  };
  // Primary key: of two first calls at the same moment one inserts, the other waits and inserts nothing.
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("people")
    .values({ ...person, ...fresh })
    .onConflict((conflict) => conflict.columns(["tenantId", "pseudonym"]).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
};

/** What keeps a call from counting; undefined where nothing does. */
const obstacleOf = (
  row: PersonColumns | undefined,
  { revision, at }: Pick<Attempt, "revision" | "at">,
): AttemptAnswer | undefined => {
  if (row === undefined || row.revision !== revision) {
    return { kind: "changed" };
  }
  const isPaused = row.pausedUntil !== null && row.pausedUntil > at.getTime();
  if (row.disabledAt === null && !isPaused) {
    return undefined;
  }
  const { pausedUntil, disabledAt } = personOf(row);
  return { kind: "held", ...(pausedUntil && { pausedUntil }), ...(disabledAt && { disabledAt }) };
};

/** Writes the run of failures; true where this one disables. The caller holds the row. */
const countAttempt = async ({ db }: Session, attempt: Attempt, before: number): Promise<boolean> => {
  const { tenantId, pseudonym, finding, at, throttle } = attempt;
  if (finding === "nothing") {
    return false;
  }
  const failures = finding === "match" ? 0 : before + 1;
  const disables = failures >= throttle.disableAt;
  const pausedUntil = failures >= throttle.pauseFrom ? at.getTime() + throttle.pauseMs : null;
  // Primary key, one row.
  await db
    .updateTable("people")
    .set({ failures, pausedUntil, disabledAt: disables ? at.getTime() : null })
    .where("tenantId", "=", tenantId)
    .where("pseudonym", "=", pseudonym)
    .execute();
  return disables;
};

const overwriteTemplate = async ({ db }: Session, template: NewTemplate): Promise<void> => {
  const { tenantId, pseudonym, revision, at, ...sealed } = template;
  // Primary key, one row.
  await db
    .updateTable("people")
    .set({ ...sealed, revision: revision + 1, renewedAt: at.getTime() })
    .where("tenantId", "=", tenantId)
    .where("pseudonym", "=", pseudonym)
    .execute();
};

const writeAnswer = async (session: Session, record: TransactionRecord, step: Step): Promise<void> => {
  await insertTransaction(session, record);
  await writeStep(session, record.tenantId, step);
};

const purge = async ({ db }: Session): Promise<number> => {
  // Index people_data_key under each destroyed key, of which a tenant has a handful.
  const { numDeletedRows } = await db
    .deleteFrom("people")
    .where((row) =>
      row(
        row.refTuple("tenantId", "pseudonym"),
        "in",
        row
          .selectFrom("keys")
          .innerJoin("people as dead", (join) =>
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

const personOf = (row: PersonColumns): Person => {
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
