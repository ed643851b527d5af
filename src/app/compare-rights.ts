/**
 * Compares the rows that give a right with the evidence entries that made them. Finds what a seal cannot
 * show: a row that was removed, and one in whose place an earlier state of it was put back with its seal.
 */

import { type ComparedTable, comparedTables } from "#machine/storage/rights/compared-tables";
import type { RightItem } from "#record/rights/right-facts";
import type { RightsCommands } from "#record/rights/rights-store";
import { linksAfter } from "#record/transactions/read-chain";
import type { EvidenceCommands } from "#record/transactions/store/evidence-store";
import type { ChainFault } from "#record/transactions/verify-chain";
import type { RightsFault } from "./rights.ts";
import { makeStatedReader, type Stated, type StatedItem, scopesIn } from "./stated-rights.ts";

/** The rows of a tenant by their table. */
export type Rows = Readonly<Record<ComparedTable, readonly RightItem[]>>;

/** Between the making of a row and the time of its entry. */
const entryMsMax = 60_000;

/** A difference between a row and the entries. */
export type Finding = { readonly table: string; readonly id: string; readonly fault: string };

/** What differs between the rows of a tenant and its entries. */
export const judgeRights = (stated: Stated, rows: Rows): readonly Finding[] => [
  ...judgeKeys(stated, rows.api_keys),
  ...judgeItems(stated, stated.destinations, "destinations", "destination_created", rows.destinations),
  ...judgeItems(
    stated,
    stated.credentials,
    "clearing_credentials",
    "clearing_credentials_set",
    rows.clearing_credentials,
  ),
  ...judgeMissing(stated, stated.faces, "blocked_faces", "face_unblocked", rows.blocked_faces),
  ...judgeMissing(stated, stated.documents, "listed_documents", "document_unlisted", rows.listed_documents),
  ...stated.beginnings.slice(1).map((seq) => ({
    table: "evidence",
    id: String(seq),
    fault: "is a second start of the seals: their key was removed, and a start made another",
  })),
];

const unreadable = (stated: Stated, kind: string): readonly number[] => stated.unreadable.get(kind) ?? [];

/** Entries without a body that may have stated any row. */
const statedAny = (stated: Stated): boolean =>
  ["rights_sealed", "rights_sealed_anew", "right_accepted"].some(
    (kind) => unreadable(stated, kind).length > 0,
  );

const mayBe = (stated: Stated, kind: string, at: number): boolean =>
  statedAny(stated) || unreadable(stated, kind).some((time) => Math.abs(time - at) <= entryMsMax);

const judgeKeys = (stated: Stated, rows: readonly RightItem[]): readonly Finding[] => {
  const table = "api_keys";
  const there = new Set(rows.map(({ id }) => id));
  const missing = [...stated.keys.keys()].filter((id) => !there.has(id));
  return [
    ...rows.flatMap((row) => judgeKey(stated, row).map((fault) => ({ table, id: row.id, fault }))),
    ...missing.map((id) => ({ table, id, fault: isMissing })),
  ];
};

const isMissing = "is missing: an entry names it, and no row holds it";

const judgeKey = (stated: Stated, { id, at, key: row }: RightItem): readonly string[] => {
  if (row === undefined) return [];
  const key = stated.keys.get(id);
  if (key === undefined) {
    // A revoked key gives no right.
    const isExplained = row.revokedAt !== null || mayBe(stated, "api_key_created", at);
    return isExplained ? [] : ["has no entry: no command made it"];
  }
  // The body of an entry may have been removed. Such an entry may be the one that ended the key.
  const mayEnd = unreadable(stated, "api_key_ended").length > 0;
  const expiresAt = row.expiresAt ?? undefined;
  const isEarlier = expiresAt !== undefined && (key.expiresAt === undefined || expiresAt < key.expiresAt);
  return [
    ...(row.environment === key.environment ? [] : ["has another environment than its entry"]),
    ...(String(scopesIn(row.scopes).toSorted()) === String(key.scopes.toSorted())
      ? []
      : ["has other scopes than its entry"]),
    ...(expiresAt === key.expiresAt || (mayEnd && isEarlier) ? [] : ["has another end than its entries"]),
    ...(key.isRevoked && row.revokedAt === null ? ["was revoked, and its row is not"] : []),
  ];
};

const judgeItems = (
  stated: Stated,
  items: ReadonlyMap<string, StatedItem>,
  table: "destinations" | "clearing_credentials",
  kind: string,
  rows: readonly RightItem[],
): readonly Finding[] => {
  const judge = ({ id, at, changedAt }: RightItem): string | undefined => {
    const item = items.get(id);
    if (item === undefined) return mayBe(stated, kind, at) ? undefined : "has no entry: no command made it";
    if (item.presence === "gone") return "was removed, and its row is there";
    const isEarlier = item.changedAt !== undefined && changedAt < item.changedAt;
    return isEarlier ? "is in an earlier state than its newest entry made" : undefined;
  };
  const there = rows.filter(({ isThere }) => isThere);
  return [
    ...there.flatMap((row) => {
      const fault = judge(row);
      return fault === undefined ? [] : [{ table, id: row.id, fault }];
    }),
    ...judgeMissing(stated, items, table, kind.replace(/created|set/, "removed"), rows),
  ];
};

/** Rows that an entry names and that are not there. A removal whose body was removed explains one of them. */
const judgeMissing = (
  stated: Stated,
  items: ReadonlyMap<string, StatedItem>,
  table: string,
  removal: string,
  rows: readonly RightItem[],
): readonly Finding[] => {
  const found = new Set(rows.filter(({ isThere }) => isThere).map(({ id }) => id));
  const missing = [...items].filter(([id, { presence }]) => presence === "there" && !found.has(id));
  const explained = unreadable(stated, removal).length;
  if (missing.length <= explained) return [];
  const fault =
    explained === 0
      ? isMissing
      : `is missing, as ${missing.length} rows are; entries without their body explain ${explained} of them`;
  return missing.map(([id]) => ({ table, id, fault }));
};

type CompareStore = Pick<EvidenceCommands, "listLinks"> &
  Pick<RightsCommands, "listRights" | "listUnrevoked">;

const readRows = async (
  store: CompareStore,
  tenantId: string,
  table: ComparedTable,
  signal: AbortSignal | undefined,
): Promise<readonly RightItem[]> => {
  const rows: RightItem[] = [];
  for (let after = ""; ; ) {
    if (signal?.aborted === true) break;
    const page = await store.listRights(tenantId, table, after);
    rows.push(...page);
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  return rows;
};

/**
 * Images that an entry revokes and whose rows are not revoked: an earlier state of the row was put back with
 * its seal.
 */
const findUnrevoked = async (
  store: CompareStore,
  tenantId: string,
  { revoked }: Stated,
): Promise<readonly Finding[]> => {
  const found: Finding[] = [];
  const ids = [...revoked];
  for (let at = 0; at < ids.length; at += askedMax) {
    const unrevoked = await store.listUnrevoked(tenantId, ids.slice(at, at + askedMax));
    found.push(...unrevoked.map((id) => ({ table: "assets", id, fault: "was revoked, and its row is not" })));
  }
  return found;
};

/** Ids of one query. */
const askedMax = 500;

/** What one pass over chain and rows finds; nothing where it was aborted. */
const compareOnce = async (
  store: CompareStore,
  tenantId: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly findings: readonly Finding[]; readonly faults: readonly ChainFault[] }> => {
  const reader = makeStatedReader();
  const nothing = { findings: [], faults: [] };
  for await (const link of linksAfter(store, tenantId)) {
    if (signal?.aborted === true) return nothing;
    reader.take(link);
  }
  const lists: Record<ComparedTable, readonly RightItem[]> = {
    api_keys: [],
    destinations: [],
    clearing_credentials: [],
    blocked_faces: [],
    listed_documents: [],
  };
  for (const table of comparedTables) lists[table] = await readRows(store, tenantId, table, signal);
  if (signal?.aborted === true) return nothing;
  const { stated, faults } = reader.end();
  const unrevoked = await findUnrevoked(store, tenantId, stated);
  return { findings: [...judgeRights(stated, lists), ...unrevoked], faults };
};

/** How a comparison runs. */
export type Comparing = {
  /** Ends the comparison at once; then it yields nothing more. */
  readonly signal?: AbortSignal;
  /** The caller verifies the chain itself: faults of the chain are not yielded again. */
  readonly isChainVerified?: boolean;
};

/**
 * Reads the chain of a tenant in pages, verifies it in the same pass, and yields each difference. The rows
 * are read after the chain, and a command may come between: so only what a second pass finds too is yielded.
 * Memory holds the rights of one tenant.
 */
export async function* compareWithEntries(
  store: CompareStore,
  tenantId: string,
  { signal, isChainVerified = false }: Comparing = {},
): AsyncGenerator<RightsFault> {
  const { findings, faults } = await compareOnce(store, tenantId, signal);
  if (!isChainVerified) {
    for (const { seq, finding } of faults)
      yield faultOf(tenantId, { table: "evidence", id: String(seq), fault: finding });
  }
  if (findings.length === 0) return;
  const again = await compareOnce(store, tenantId, signal);
  const confirmed = new Set(again.findings.map(nameOf));
  for (const found of findings) if (confirmed.has(nameOf(found))) yield faultOf(tenantId, found);
}

const nameOf = ({ table, id, fault }: Finding): string => JSON.stringify([table, id, fault]);

const faultOf = (tenant: string, { table, id, fault }: Finding): RightsFault => {
  const place = `${table} ${tenant} ${id}`;
  const verify = "Restore a backup from before. All faults of the chain: idem evidence verify";
  const judge = `Find out who wrote to the store, and restore a backup from before. To keep it as it stands: idem rights accept ${place}`;
  return { part: "rights", tenant, place, fault, repair: table === "evidence" ? verify : judge };
};

/** Whether the entries of its tenant say something else of a row than the store holds. */
export const differsFromEntries = async (
  store: CompareStore,
  tenantId: string,
  place: string,
): Promise<boolean> => {
  for await (const found of compareWithEntries(store, tenantId)) if (found.place === place) return true;
  return false;
};
