import { sql } from "kysely";
import type { Step } from "#transactions/record";
import { stepOf } from "#transactions/record-call";
import type { Session } from "../database.ts";
import { type ChainEnd, judgeEnd, readHead, writeEnd } from "./chain-head.ts";
import { isRightTable, type RightTableName, rightTables } from "./declared-tables.ts";
import {
  faultOf,
  isRow,
  makeRights,
  placeOf,
  type RightSession,
  type Rights,
  type RowFaultKind,
  rightsSecret,
} from "./door.ts";
import { memberOf, type Row } from "./row-seal.ts";

/** A row that the service did not write as it stands. */
export type FoundFault = {
  readonly table: RightTableName;
  readonly tenantId: string;
  /** Table and primary key, as messages name them. */
  readonly place: string;
  /** The primary key, for `acceptRight`. */
  readonly key: readonly string[];
  /** end: the chain of the tenant does not end at its sealed end. */
  readonly fault: RowFaultKind | "end";
  /** What is wrong with the end of a chain. */
  readonly words?: string;
};

/** A page of rows that were compared, and how many they are; `last` is absent at the end of the table. */
export type ComparedPage = {
  readonly faults: readonly FoundFault[];
  readonly compared: number;
  readonly last?: readonly string[];
};

/** The sealed end of each chain of evidence. */
export type ChainHeadTables = {
  evidenceHeads: { tenantId: string; seq: number; hash: string; seal: Uint8Array };
};

/** Commands for the seals of rows that give a right; implemented by {@link makeRightsCommands}. */
export type RightsCommands = {
  /**
   * Keeps the key of the seals, which the caller sealed under the master key, and seals each row, in one commit. Writes an entry of
   * evidence for each tenant that has rows. False, and nothing written, where the store has a key.
   */
  readonly beginRights: (key: Uint8Array, sealedKey: Uint8Array, at: Date) => Promise<boolean>;
  /** Whether a row has a seal: then the store has had a key. */
  readonly hasSeals: () => Promise<boolean>;
  /** Compares up to 500 rows after the primary key `after`. Finds nothing where no key is held. */
  readonly compareRights: (table: RightTableName, after?: readonly string[]) => Promise<ComparedPage>;
  /** The rows of a tenant whose making and end are in the evidence, whatever their seals are. */
  readonly listRights: (tenantId: string) => Promise<RightsRows>;
  /**
   * Seals a row as it stands, or a chain at its present end, and writes an entry of evidence: the operator has judged it. False where
   * there is no such row, or where it is whole.
   */
  readonly acceptRight: (table: RightTableName, key: readonly string[], at: Date) => Promise<boolean>;
};

/** Rows of one tenant, for the comparison with its evidence. Times are milliseconds since 1970. */
export type RightsRows = {
  readonly apiKeys: readonly (KeyFacts & { readonly createdAt: number })[];
  readonly destinations: readonly RightItem[];
  readonly credentials: readonly RightItem[];
  readonly faces: readonly string[];
  readonly documents: readonly string[];
};

type RightItem = { readonly id: string; readonly at: number; readonly isThere: boolean };

/** Kinds of evidence about seals: what a first start with seals found, and a row that the operator accepted. */
export const rightsEvidenceKinds = ["rights_sealed", "right_accepted"] as const;

type WriteStep<Tables> = (session: Session<Tables>, tenantId: string, step: Step) => Promise<void>;

const pageMax = 500;
const tableNames = Object.keys(rightTables).filter(isRightTable);

export const makeRightsCommands = <Tables>(
  session: Session<Tables>,
  writeStep: WriteStep<Tables>,
): RightsCommands => ({
  beginRights: (key, sealedKey, at) => begin(session, writeStep, { key, sealedKey, at }),

  hasSeals: async () => {
    for (const table of tableNames) {
      // One row, or a scan of a table whose rows have no seal: at the first start alone.
      const { rows } =
        await sql<Row>`select 1 as found from ${sql.table(table)} where seal is not null limit 1`.execute(
          session.db,
        );
      if (rows.length > 0) return true;
    }
    return false;
  },

  compareRights: async (table, after) => {
    if (table === "evidence_heads") return await compareEnds(session, after?.[0]);
    const rows = await pageOf(session, table, after);
    const faults = rows.flatMap((row) => foundIn(session, table, row));
    const last = rows.length < pageMax ? undefined : rows.at(-1);
    const compared = session.rights?.isHeld() === true ? rows.length : 0;
    return { faults, compared, ...(last && { last: keyOf(table, last) }) };
  },

  listRights: (tenantId) => listRights(session, tenantId),

  acceptRight: (table, key, at) => accept(session, writeStep, { table, key, at }),
});

const keyOf = (table: RightTableName, row: Row): readonly string[] =>
  rightTables[table].key.map((column) => String(row[memberOf(column)]));

const tenantOf = (table: RightTableName, row: Row): string =>
  String(table === "tenants" ? row["id"] : row["tenantId"]);

const foundIn = (session: RightSession, table: RightTableName, row: Row): readonly FoundFault[] => {
  const fault = faultOf(session, table, row);
  if (fault === undefined) return [];
  return [
    { table, tenantId: tenantOf(table, row), place: placeOf(table, row), key: keyOf(table, row), fault },
  ];
};

/** Primary key, a range of it. */
const pageOf = async (
  { db }: RightSession,
  table: RightTableName,
  after: readonly string[] | undefined,
): Promise<readonly Row[]> => {
  const key = sql.join(rightTables[table].key.map((column) => sql.ref(column)));
  const rest = after === undefined ? sql`` : sql` where (${key}) > (${sql.join([...after])})`;
  const { rows } =
    await sql<Row>`select * from ${sql.table(table)}${rest} order by ${key} limit ${sql.lit(pageMax)}`.execute(
      db,
    );
  return rows;
};

/** The last entry of a tenant's chain. */
const endOf = async ({ db }: RightSession, tenantId: string): Promise<ChainEnd> => {
  // Primary key of evidence, backwards, one row.
  const { rows } = await sql<ChainEnd>`select seq, hash from evidence where tenant_id = ${tenantId}
    order by seq desc limit 1`.execute(db);
  return rows[0] ?? { seq: 0, hash: "" };
};

/** Each tenant's chain with its sealed end. */
const compareEnds = async (session: RightSession, after = ""): Promise<ComparedPage> => {
  if (session.rights?.isHeld() !== true) return { faults: [], compared: 0 };
  // Primary key of tenants, a range of it.
  const { rows } = await sql<{
    readonly id: string;
  }>`select id from tenants where id > ${after} order by id limit ${sql.lit(pageMax)}`.execute(session.db);
  const faults: FoundFault[] = [];
  for (const { id } of rows) faults.push(...(await compareEnd(session, id)));
  const last = rows.length < pageMax ? undefined : rows.at(-1);
  return { faults, compared: rows.length, ...(last && { last: [last.id] }) };
};

const compareEnd = async (session: RightSession, tenantId: string): Promise<readonly FoundFault[]> => {
  const [stored, end] = [await readHead(session, tenantId), await endOf(session, tenantId)];
  const found = stored === undefined ? [] : foundIn(session, "evidence_heads", stored);
  if (found.length > 0) return found;
  const words = judgeEnd(stored, end);
  if (words === undefined) return [];
  return [
    {
      table: "evidence_heads",
      tenantId,
      place: `evidence_heads ${tenantId}`,
      key: [tenantId],
      fault: "end",
      words,
    },
  ];
};

type Beginning = { readonly key: Uint8Array; readonly sealedKey: Uint8Array; readonly at: Date };

const begin = async <Tables>(
  given: Session<Tables>,
  writeStep: WriteStep<Tables>,
  { key, sealedKey, at }: Beginning,
): Promise<boolean> => {
  // Primary key: of two processes at once the second waits here, and then inserts nothing.
  const { numAffectedRows } =
    await sql`insert into secrets (name, sealed) values (${rightsSecret}, ${sealedKey})
    on conflict do nothing`.execute(given.db);
  if (numAffectedRows !== 1n) return false;
  const rights = makeRights();
  rights.hold(key);
  const session = { ...given, rights };
  const { rows: tenants } = await sql<{ readonly id: string }>`select id from tenants order by id`.execute(
    session.db,
  );
  for (const { id } of tenants) {
    const end = await endOf(session, id);
    if (end.seq > 0) await writeEnd(session, id, end);
    const body = await factsOf(session, id);
    if (body !== undefined) {
      const evidence = [{ id: crypto.randomUUID(), kind: rightsEvidenceKinds[0], at, body }];
      await writeStep(session, id, stepOf({ evidence }));
    }
  }
  for (const table of tableNames) await sealAll(session, table);
  return true;
};

/** The keys, destinations and credentials of a tenant, for the entry that states what was there; undefined where there are none. */
const factsOf = async ({ db }: RightSession, tenantId: string) => {
  const { rows: keys } =
    await sql<KeyFacts>`select id, environment, scopes, expires_at, revoked_at from api_keys
    where tenant_id = ${tenantId} order by id`.execute(db);
  const { rows: destinations } = await sql<{ readonly id: string }>`select id from destinations
    where tenant_id = ${tenantId} and state <> 'removed' order by id`.execute(db);
  const { rows: credentials } = await sql<{
    readonly environment: string;
  }>`select environment from clearing_credentials
    where tenant_id = ${tenantId} order by environment`.execute(db);
  if (keys.length + destinations.length + credentials.length === 0) return undefined;
  return {
    apiKeys: keys.map(({ id, environment, scopes, expiresAt, revokedAt }) => ({
      apiKey: id,
      environment,
      scopes,
      expiresAt: timeOf(expiresAt),
      revokedAt: timeOf(revokedAt),
    })),
    destinations: destinations.map(({ id }) => id),
    credentials: credentials.map(({ environment }) => environment),
  };
};

type KeyFacts = Readonly<Record<"id" | "environment" | "scopes", string>> &
  Readonly<Record<"expiresAt" | "revokedAt", number | null>>;

const listRights = async ({ db }: RightSession, tenantId: string): Promise<RightsRows> => {
  type Named = { readonly id: string };
  // Primary keys, one tenant's range.
  const { rows: apiKeys } = await sql<
    RightsRows["apiKeys"][number]
  >`select id, environment, scopes, created_at, expires_at, revoked_at
    from api_keys where tenant_id = ${tenantId} order by id`.execute(db);
  const { rows: destinations } = await sql<Named & { readonly state: string; readonly createdAt: number }>`
    select id, state, created_at from destinations where tenant_id = ${tenantId} order by id`.execute(db);
  const { rows: credentials } = await sql<{ readonly environment: string; readonly changedAt: number }>`
    select environment, changed_at from clearing_credentials where tenant_id = ${tenantId} order by environment`.execute(
    db,
  );
  const { rows: faces } =
    await sql<Named>`select id from blocked_faces where tenant_id = ${tenantId} order by id`.execute(db);
  const { rows: documents } =
    await sql<Named>`select id from listed_documents where tenant_id = ${tenantId} order by id`.execute(db);
  return {
    apiKeys,
    destinations: destinations.map(({ id, state, createdAt }) => ({
      id,
      at: createdAt,
      isThere: state !== "removed",
    })),
    credentials: credentials.map(({ environment, changedAt }) => ({
      id: environment,
      at: changedAt,
      isThere: true,
    })),
    faces: faces.map(({ id }) => id),
    documents: documents.map(({ id }) => id),
  };
};

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const sealAll = async (
  session: RightSession & { readonly rights: Rights },
  table: RightTableName,
): Promise<void> => {
  for (let after: readonly string[] | undefined; ; ) {
    const rows = await pageOf(session, table, after);
    for (const row of rows) {
      if (row["seal"] === null)
        await writeSeal(session, table, keyOf(table, row), session.rights.sealOf(table, row));
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageMax) return;
    after = keyOf(table, last);
  }
};

const writeSeal = async (
  { db }: RightSession,
  table: RightTableName,
  key: readonly string[],
  seal: Uint8Array,
): Promise<void> => {
  // Primary key, one row.
  await sql`update ${sql.table(table)} set seal = ${seal} where ${isRow(table, key)}`.execute(db);
};

type Acceptance = { readonly table: RightTableName; readonly key: readonly string[]; readonly at: Date };

const accept = async <Tables>(
  session: Session<Tables>,
  writeStep: WriteStep<Tables>,
  { table, key, at }: Acceptance,
): Promise<boolean> => {
  const accepted =
    table === "evidence_heads" ? await acceptEnd(session, key) : await acceptRow(session, table, key);
  if (accepted === undefined) return false;
  const evidence = [
    { id: crypto.randomUUID(), kind: rightsEvidenceKinds[1], at, body: { row: accepted.place } },
  ];
  await writeStep(session, accepted.tenantId, stepOf({ evidence }));
  return true;
};

type Accepted = { readonly tenantId: string; readonly place: string };

const acceptEnd = async (
  session: RightSession,
  [tenantId = ""]: readonly string[],
): Promise<Accepted | undefined> => {
  if ((await compareEnd(session, tenantId)).length === 0) return undefined;
  const end = await endOf(session, tenantId);
  // Primary key, one row.
  if (end.seq === 0) await sql`delete from evidence_heads where tenant_id = ${tenantId}`.execute(session.db);
  else await writeEnd(session, tenantId, end);
  return { tenantId, place: `evidence_heads ${tenantId}` };
};

const acceptRow = async (
  session: RightSession,
  table: RightTableName,
  key: readonly string[],
): Promise<Accepted | undefined> => {
  // Primary key, one row.
  const { rows } = await sql<Row>`select * from ${sql.table(table)} where ${isRow(table, key)}`.execute(
    session.db,
  );
  const [row] = rows;
  // Without the key of the seals no row has a fault.
  if (row === undefined || session.rights === undefined || faultOf(session, table, row) === undefined)
    return undefined;
  await writeSeal(session, table, key, session.rights.sealOf(table, row));
  return { tenantId: tenantOf(table, row), place: placeOf(table, row) };
};
