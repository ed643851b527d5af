/**
 * Compares the rows that give a right with the evidence entries that made them. Finds what a seal cannot show: a row that was removed,
 * and one in whose place an earlier state of it was put back with its seal.
 */

import type { RightsCommands, RightsRows } from "#storage/rights/rights-store";
import { linksAfter } from "#transactions/read-chain";
import type { EvidenceCommands, StoredLink } from "#transactions/store/evidence-store";
import type { RightsFault } from "./rights.ts";

type Body = Readonly<Record<string, unknown>>;

/** What the entries say of an API key. */
type KeyFacts = {
  readonly environment: unknown;
  readonly scopes: readonly string[];
  expiresAt: number | undefined;
  isRevoked: boolean;
};

/** What the entries say of another row: it is there, it is gone, or it may be either, after an erasure. */
type Presence = "there" | "gone" | "either";

/** What a chain says of the rights of its tenant. Bodies that were removed by age say nothing. */
type Stated = {
  readonly keys: Map<string, KeyFacts>;
  readonly destinations: Map<string, Presence>;
  readonly credentials: Map<string, Presence>;
  readonly faces: Map<string, Presence>;
  readonly documents: Map<string, Presence>;
  /** Times of entries whose body was removed, by their kind: a row of that time may be theirs. */
  readonly unreadable: Map<string, number[]>;
};

/** The kinds of entries that are compared. */
const kinds: Readonly<Record<string, (stated: Stated, body: Body) => void>> = {
  api_key_created: ({ keys }, body) => keys.set(textOf(body["apiKey"]), keyOf(body)),
  api_key_ended: ({ keys }, body) => {
    const key = keys.get(textOf(body["apiKey"]));
    const end = timeOf(body["endsAt"]);
    if (key !== undefined && end !== undefined) key.expiresAt = Math.min(key.expiresAt ?? end, end);
  },
  api_key_revoked: ({ keys }, body) => {
    const key = keys.get(textOf(body["apiKey"]));
    if (key !== undefined) key.isRevoked = true;
  },
  destination_created: ({ destinations }, body) => destinations.set(textOf(body["destination"]), "there"),
  destination_removed: ({ destinations }, body) => destinations.set(textOf(body["destination"]), "gone"),
  clearing_credentials_set: ({ credentials }, body) => credentials.set(textOf(body["environment"]), "there"),
  clearing_credentials_removed: ({ credentials }, body) =>
    credentials.set(textOf(body["environment"]), "gone"),
  face_blocked: ({ faces }, body) => faces.set(textOf(body["face"]), "there"),
  face_unblocked: ({ faces }, body) => faces.set(textOf(body["face"]), "gone"),
  document_listed: ({ documents }, body) => documents.set(textOf(body["entry"]), "there"),
  document_unlisted: ({ documents }, body) => documents.set(textOf(body["entry"]), "gone"),
  // An erasure removes the rest of the tenant's rows without an entry for each.
  data_key_destroyed: ({ destinations, credentials, faces, documents }) => {
    for (const items of [destinations, credentials, faces, documents])
      for (const id of items.keys()) items.set(id, "either");
  },
  // The rows that a first start with seals found.
  rights_sealed: (stated, body) => {
    for (const one of listOf(body["apiKeys"])) {
      if (isBody(one)) stated.keys.set(textOf(one["apiKey"]), keyOf(one));
    }
    listOf(body["destinations"]).forEach((id) => stated.destinations.set(textOf(id), "there"));
    listOf(body["credentials"]).forEach((environment) =>
      stated.credentials.set(textOf(environment), "there"),
    );
  },
};

const isBody = (value: unknown): value is Body =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const timeOf = (value: unknown): number | undefined =>
  typeof value === "string" ? Date.parse(value) : undefined;

const keyOf = (body: Body): KeyFacts => ({
  environment: body["environment"],
  scopes: typeof body["scopes"] === "string" ? scopesIn(body["scopes"]) : listOf(body["scopes"]).map(textOf),
  expiresAt: timeOf(body["expiresAt"]),
  isRevoked: typeof body["revokedAt"] === "string",
});

const scopesIn = (text: string): readonly string[] => {
  try {
    return listOf(JSON.parse(text)).map(textOf);
  } catch {
    return [];
  }
};

const take = (stated: Stated, { kind, at, body }: StoredLink): void => {
  const understand = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (understand === undefined) return;
  const parsed = body === undefined ? undefined : parse(body.text);
  if (parsed !== undefined) understand(stated, parsed);
  else if (kind === "data_key_destroyed") understand(stated, {});
  else stated.unreadable.set(kind, [...(stated.unreadable.get(kind) ?? []), at]);
};

const parse = (text: string): Body | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isBody(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Between the making of a row and the time of its entry. */
const entryMsMax = 60_000;

/** What differs between the rows of a tenant and its entries. */
export const judgeRights = (stated: Stated, rows: RightsRows): readonly Finding[] => [
  ...judgeKeys(stated, rows),
  ...judgeItems(stated, "destinations", "destination_created", rows.destinations),
  ...judgeItems(stated, "clearing_credentials", "clearing_credentials_set", rows.credentials),
  ...judgeMissing("blocked_faces", stated.faces, rows.faces, stated.unreadable.get("face_unblocked")),
  ...judgeMissing(
    "listed_documents",
    stated.documents,
    rows.documents,
    stated.unreadable.get("document_unlisted"),
  ),
];

export type Finding = { readonly table: string; readonly id: string; readonly fault: string };

const mayBe = (stated: Stated, kind: string, at: number): boolean =>
  [
    ...(stated.unreadable.get(kind) ?? []),
    ...(stated.unreadable.get("rights_sealed") ?? []).map(() => at),
  ].some((time) => Math.abs(time - at) <= entryMsMax);

const judgeKeys = (stated: Stated, { apiKeys }: RightsRows): readonly Finding[] => {
  const table = "api_keys";
  const there = new Set(apiKeys.map(({ id }) => id));
  const missing = [...stated.keys.keys()].filter((id) => !there.has(id));
  return [
    ...apiKeys.flatMap((row) => judgeKey(stated, row).map((fault) => ({ table, id: row.id, fault }))),
    ...missing.map((id) => ({ table, id, fault: "is missing: an entry names it, and no row holds it" })),
  ];
};

const judgeKey = (stated: Stated, row: RightsRows["apiKeys"][number]): readonly string[] => {
  const key = stated.keys.get(row.id);
  if (key === undefined) {
    // A revoked key gives no right.
    const isExplained = row.revokedAt !== null || mayBe(stated, "api_key_created", row.createdAt);
    return isExplained ? [] : ["has no entry: no command made it"];
  }
  // An entry whose body was removed may have ended it.
  const mayEnd = (stated.unreadable.get("api_key_ended") ?? []).length > 0;
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

type Item = { readonly id: string; readonly at: number; readonly isThere: boolean };

const judgeItems = (
  stated: Stated,
  table: "destinations" | "clearing_credentials",
  kind: string,
  rows: readonly Item[],
): readonly Finding[] => {
  const items = table === "destinations" ? stated.destinations : stated.credentials;
  const added = rows.filter(({ id, isThere }) => isThere && items.get(id) === undefined);
  const back = rows.filter(({ id, isThere }) => isThere && items.get(id) === "gone");
  const there = rows.filter(({ isThere }) => isThere).map(({ id }) => id);
  return [
    ...added
      .filter(({ at }) => !mayBe(stated, kind, at))
      .map(({ id }) => ({ table, id, fault: "has no entry: no command made it" })),
    ...back.map(({ id }) => ({ table, id, fault: "was removed, and its row is there" })),
    ...judgeMissing(table, items, there, stated.unreadable.get(kind.replace(/created|set/, "removed"))),
  ];
};

/** Rows that an entry names and that are not there. A removal whose body was removed explains any of them. */
const judgeMissing = (
  table: string,
  items: ReadonlyMap<string, Presence>,
  there: readonly string[],
  unreadableRemovals: readonly number[] = [],
): readonly Finding[] => {
  if (unreadableRemovals.length > 0) return [];
  const found = new Set(there);
  const missing = [...items].filter(([id, presence]) => presence === "there" && !found.has(id));
  return missing.map(([id]) => ({ table, id, fault: "is missing: an entry names it, and no row holds it" }));
};

type CompareStore = Pick<EvidenceCommands, "listLinks"> & Pick<RightsCommands, "listRights">;

/** Reads the chain of a tenant in pages, and yields each difference. Memory holds the rights of one tenant. */
export async function* compareWithEntries(
  store: CompareStore,
  tenantId: string,
): AsyncGenerator<RightsFault> {
  const stated: Stated = {
    keys: new Map(),
    destinations: new Map(),
    credentials: new Map(),
    faces: new Map(),
    documents: new Map(),
    unreadable: new Map(),
  };
  for await (const link of linksAfter(store, tenantId)) take(stated, link);
  for (const { table, id, fault } of judgeRights(stated, await store.listRights(tenantId))) {
    yield {
      part: "rights",
      tenant: tenantId,
      place: `${table} ${id}`,
      fault,
      repair:
        "Find out who wrote to the store, and restore a backup from before. See idem evidence export for the entries",
    };
  }
}
