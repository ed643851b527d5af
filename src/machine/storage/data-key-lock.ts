import { type QueryExecutorProvider, sql } from "kysely";
import { Failure } from "#contract/failure";
import { dataKeyIdIn } from "./sealed-box.ts";

/** What a look at data keys needs of a session. */
export type KeySession = { readonly db: QueryExecutorProvider; readonly locksRows: boolean };

/** Sealed bytes of a row; nothing where a column stays empty. */
type Sealed = Uint8Array | null | undefined;

/**
 * Refuses a row whose bytes were sealed under a data key that was destroyed meanwhile: nothing could open
 * them, and the caller would be answered as if they were kept. Fails with store_unavailable, and the caller
 * tries again under a new key. A destruction waits for the commit.
 */
export const requireLiveKeys = async (
  session: KeySession,
  tenantId: string,
  ...sealed: readonly Sealed[]
): Promise<void> => {
  if (!(await areKeysLive(session, tenantId, ...sealed))) throw destroyed();
};

/**
 * Whether no bytes were sealed under a destroyed data key of the tenant. A destruction of their keys waits
 * for the commit.
 */
export const areKeysLive = async (
  session: KeySession,
  tenantId: string,
  ...sealed: readonly Sealed[]
): Promise<boolean> => {
  const ids = sealed.flatMap((bytes) => (bytes ? (dataKeyIdIn(bytes) ?? []) : []));
  const found = await lockKeys(session, tenantId, ids);
  return found.every(({ destroyedAt }) => destroyedAt === null);
};

/** The same for a row that names its data key, which must be there. */
export const requireDataKey = async (
  session: KeySession,
  { tenantId, dataKeyId }: { readonly tenantId: string; readonly dataKeyId: string },
): Promise<void> => {
  const [key] = await lockKeys(session, tenantId, [dataKeyId]);
  if (key?.destroyedAt !== null) throw destroyed();
};

const destroyed = (): Failure =>
  new Failure("store_unavailable", {}, { cause: new Error("The tenant's data key was destroyed") });

const lockKeys = async (
  { db, locksRows }: KeySession,
  tenantId: string,
  ids: readonly string[],
): Promise<readonly { readonly destroyedAt: number | null }[]> => {
  if (ids.length === 0) return [];
  const unique = [...new Set(ids)];
  // Primary key, one row for each; a shared lock, so that writers run in parallel and a destruction waits for
  // them.
  const { rows } = await sql<{ readonly destroyedAt: number | null }>`
    select destroyed_at from keys where tenant_id = ${tenantId} and id in (${sql.join(unique)})${sql.raw(locksRows ? " for share" : "")}`.execute(
    db,
  );
  return rows;
};
