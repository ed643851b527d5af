import { type RawBuilder, sql } from "kysely";
import type { Json } from "#contract/json";
import { type ComparedTable, comparedTables } from "#machine/storage/rights/compared-tables";
import type { RightTableName } from "#machine/storage/rights/declared-tables";
import type { RightSession } from "#machine/storage/rights/door";
import type { Row } from "#machine/storage/rights/row-seal";

/** A row of one tenant, for the comparison with its evidence. Times are milliseconds since 1970. */
export type RightItem = {
  /** For credentials, the id is their environment. */
  readonly id: string;
  /** When the row was made. */
  readonly at: number;
  /** When a command changed it last; as `at` where rows do not change. */
  readonly changedAt: number;
  /** False for a row that stays after its removal. */
  readonly isThere: boolean;
  /** The facts of an API key. */
  readonly key?: KeyFacts;
};

/** What the evidence states of an API key. */
export type KeyFacts = Readonly<Record<"environment" | "scopes", string>> &
  Readonly<Record<"expiresAt" | "revokedAt", number | null>>;

const pageMax = 1000;

/** The column that names the row in the entries. */
const idOf = (table: ComparedTable): string => (table === "clearing_credentials" ? "environment" : "id");

const columns: Readonly<Record<ComparedTable, string>> = {
  api_keys: "id, environment, scopes, created_at, expires_at, revoked_at",
  destinations: "id, state, created_at, changed_at",
  clearing_credentials: "environment, changed_at",
  blocked_faces: "id, blocked_at",
  listed_documents: "id, listed_at",
};

/** Rows of a tenant after `after`, in the order of their ids, whatever their seals are. */
export const listRights = async (
  { db }: RightSession,
  tenantId: string,
  table: ComparedTable,
  after: string,
): Promise<readonly RightItem[]> => {
  const id = sql.ref(idOf(table));
  // Primary key, a range of one tenant.
  const query: RawBuilder<Row> = sql`select ${sql.raw(columns[table])} from ${sql.table(table)} where tenant_id = ${tenantId} and ${id} > ${after}
    order by ${id} limit ${sql.lit(pageMax)}`;
  const { rows } = await query.execute(db);
  return rows.map((row) => itemOf(table, row));
};

/** Those of up to 500 images of a tenant whose rows are there and not revoked. */
export const listUnrevoked = async (
  { db }: RightSession,
  tenantId: string,
  ids: readonly string[],
): Promise<readonly string[]> => {
  if (ids.length === 0) return [];
  // Primary key, one probe for each.
  const { rows } = await sql<{ readonly id: string }>`select id from assets
    where tenant_id = ${tenantId} and id in (${sql.join([...ids])}) and revoked_at is null order by id`.execute(
    db,
  );
  return rows.map(({ id }) => id);
};

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const msOf = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value);

/** A row as the comparison and the entries name it. */
export const itemOf = (table: ComparedTable, row: Row): RightItem => {
  const at = Number(row["createdAt"] ?? row["blockedAt"] ?? row["listedAt"] ?? row["changedAt"] ?? 0);
  return {
    id: textOf(row[idOf(table)]),
    at,
    changedAt: Number(row["changedAt"] ?? at),
    isThere: row["state"] !== "removed",
    ...(table === "api_keys" && {
      key: {
        environment: textOf(row["environment"]),
        scopes: textOf(row["scopes"]),
        expiresAt: msOf(row["expiresAt"]),
        revokedAt: msOf(row["revokedAt"]),
      },
    }),
  };
};

const timeOf = (ms: number | null): string | null => {
  const time = new Date(ms ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
};

/** An API key as entries state it. */
const keyBody = (id: string, { environment, scopes, expiresAt, revokedAt }: KeyFacts): Json => ({
  apiKey: id,
  environment,
  scopes,
  expiresAt: timeOf(expiresAt),
  revokedAt: timeOf(revokedAt),
});

const members: Readonly<Record<ComparedTable, string>> = {
  api_keys: "apiKeys",
  destinations: "destinations",
  clearing_credentials: "credentials",
  blocked_faces: "faces",
  listed_documents: "documents",
};

/** Rows as an entry states them: the member of the table holds those that are there. */
const stated = (table: ComparedTable, items: readonly RightItem[]): Readonly<Record<string, Json>> => ({
  [members[table]]: items
    .filter(({ isThere }) => isThere)
    .map(({ id, key }) => (key === undefined ? id : keyBody(id, key))),
});

/** What an accepted row is from now on, for its entry. A row that is not there is stated as gone. */
export const acceptedFacts = (
  table: RightTableName,
  id: string,
  row: Row | undefined,
): Readonly<Record<string, Json>> => {
  const compared = comparedTables.find((one) => one === table);
  if (compared === undefined) return {};
  const item = row && itemOf(compared, row);
  return item?.isThere === true ? stated(compared, [item]) : { gone: { [members[compared]]: [id] } };
};

/** Block lists are left out: they can be long, and a row that was added to them opens nothing. */
const statedTables = ["api_keys", "destinations", "clearing_credentials"] as const;

/** The rows of a tenant, for the entry that states what a start found; undefined where there are none. */
export const factsOf = async (
  session: RightSession,
  tenantId: string,
): Promise<Readonly<Record<string, Json>> | undefined> => {
  let body: Readonly<Record<string, Json>> = {};
  let count = 0;
  for (const table of statedTables) {
    const items: RightItem[] = [];
    for (let after = ""; ; ) {
      const page = await listRights(session, tenantId, table, after);
      items.push(...page);
      const last = page.at(-1);
      if (last === undefined || page.length < pageMax) break;
      after = last.id;
    }
    count += items.filter(({ isThere }) => isThere).length;
    body = { ...body, ...stated(table, items) };
  }
  return count === 0 ? undefined : body;
};
