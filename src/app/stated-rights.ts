/** What the entries of a chain say of the rights of its tenant. */

import type { StoredLink } from "#record/transactions/store/evidence-store";
import { makeChainVerifier } from "#record/transactions/verify-chain";

type Body = Readonly<Record<string, unknown>>;

/** What the entries say of an API key. */
export type StatedKey = {
  readonly environment: unknown;
  readonly scopes: readonly string[];
  expiresAt: number | undefined;
  isRevoked: boolean;
};

/**
 * What the entries state about a row of another kind: it is there, it is gone, or, after an erasure, it may
 * be either.
 */
export type StatedItem = {
  readonly presence: "there" | "gone" | "either";
  /** The time of the newest entry about the row. Absent where no entry states when it was changed. */
  readonly changedAt?: number;
};

type Items = Map<string, StatedItem>;

/** What a chain says of the rights of its tenant. Bodies that were removed by age say nothing. */
export type Stated = {
  readonly keys: Map<string, StatedKey>;
  readonly destinations: Items;
  readonly credentials: Items;
  readonly faces: Items;
  readonly documents: Items;
  /** Images that were revoked. */
  readonly revoked: Set<string>;
  /**
   * Times of entries whose body was removed, by their kind. A row of the same time may belong to such an
   * entry.
   */
  readonly unreadable: Map<string, number[]>;
  /** Positions of the entries that first starts with seals wrote. A sound chain has at most one. */
  readonly beginnings: number[];
};

/** Before the first entry. */
export const nothingStated = (): Stated => ({
  keys: new Map(),
  destinations: new Map(),
  credentials: new Map(),
  faces: new Map(),
  documents: new Map(),
  revoked: new Set(),
  unreadable: new Map(),
  beginnings: [],
});

type Understand = (stated: Stated, body: Body, at: number) => void;

const changeOf: Understand = ({ destinations }, body, at) => {
  const id = textOf(body["destination"]);
  if (destinations.get(id)?.presence !== "gone") destinations.set(id, { presence: "there", changedAt: at });
};

/** The kinds of entries that are compared. */
const kinds: Readonly<Record<string, Understand>> = {
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
  destination_created: changeOf,
  destination_changed: changeOf,
  destination_paused: changeOf,
  destination_resumed: changeOf,
  destination_enabled: changeOf,
  destination_consented: changeOf,
  destination_secret_rotated: changeOf,
  destination_removed: ({ destinations }, body) =>
    destinations.set(textOf(body["destination"]), { presence: "gone" }),
  clearing_credentials_set: ({ credentials }, body, changedAt) =>
    credentials.set(textOf(body["environment"]), { presence: "there", changedAt }),
  clearing_credentials_removed: ({ credentials }, body) =>
    credentials.set(textOf(body["environment"]), { presence: "gone" }),
  face_blocked: ({ faces }, body) => faces.set(textOf(body["face"]), { presence: "there" }),
  face_unblocked: ({ faces }, body) => faces.set(textOf(body["face"]), { presence: "gone" }),
  document_listed: ({ documents }, body) => documents.set(textOf(body["entry"]), { presence: "there" }),
  document_unlisted: ({ documents }, body) => documents.set(textOf(body["entry"]), { presence: "gone" }),
  asset_revoked: ({ revoked }, body) => revoked.add(textOf(body["asset"])),
  // An erasure removes the rest of the tenant's rows without an entry for each.
  data_key_destroyed: ({ destinations, credentials, faces, documents }) => {
    for (const items of [destinations, credentials, faces, documents])
      for (const id of items.keys()) items.set(id, { presence: "either" });
  },
  // The rows that a start with seals found, and a row that the operator took as it stands.
  rights_sealed: (stated, body) => takeRows(stated, body),
  rights_sealed_anew: (stated, body) => takeRows(stated, body),
  right_accepted: (stated, body) => {
    takeRows(stated, body);
    const [table, , id = ""] = textOf(body["row"]).split(" ");
    if (table === "assets") stated.revoked.delete(id);
    if (isBody(body["gone"])) takeGone(stated, body["gone"]);
  },
};

const itemMembers = ["destinations", "credentials", "faces", "documents"] as const;

const takeRows = (stated: Stated, body: Body): void => {
  for (const one of listOf(body["apiKeys"])) {
    if (isBody(one)) stated.keys.set(textOf(one["apiKey"]), keyOf(one));
  }
  for (const member of itemMembers)
    for (const id of listOf(body[member])) stated[member].set(textOf(id), { presence: "there" });
};

const takeGone = (stated: Stated, gone: Body): void => {
  for (const id of listOf(gone["apiKeys"])) stated.keys.delete(textOf(id));
  for (const member of itemMembers)
    for (const id of listOf(gone[member])) stated[member].set(textOf(id), { presence: "gone" });
};

const isBody = (value: unknown): value is Body =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const timeOf = (value: unknown): number | undefined =>
  typeof value === "string" ? Date.parse(value) : undefined;

const keyOf = (body: Body): StatedKey => ({
  environment: body["environment"],
  scopes: typeof body["scopes"] === "string" ? scopesIn(body["scopes"]) : listOf(body["scopes"]).map(textOf),
  expiresAt: timeOf(body["expiresAt"]),
  isRevoked: typeof body["revokedAt"] === "string",
});

/** The scopes of a stored list; none where it is no list. */
export const scopesIn = (text: string): readonly string[] => {
  try {
    return listOf(JSON.parse(text)).map(textOf);
  } catch {
    return [];
  }
};

/** Kinds of entries that, without their body, may explain a row or a missing row. */
const explaining = new Set([
  "api_key_created",
  "api_key_ended",
  "destination_created",
  "destination_removed",
  "clearing_credentials_set",
  "clearing_credentials_removed",
  "face_unblocked",
  "document_unlisted",
  "rights_sealed",
  "rights_sealed_anew",
  "right_accepted",
]);

/** Adds what an entry says. */
export const takeEntry = (stated: Stated, { seq, kind, at, body }: StoredLink): void => {
  if (kind === "rights_sealed") stated.beginnings.push(seq);
  const understand = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (understand === undefined) return;
  const parsed = body === undefined ? undefined : parse(body.text);
  if (parsed !== undefined) understand(stated, parsed, at);
  else if (kind === "data_key_destroyed") understand(stated, {}, at);
  else if (explaining.has(kind)) {
    const times = stated.unreadable.get(kind);
    if (times === undefined) stated.unreadable.set(kind, [at]);
    else times.push(at);
  }
};

const parse = (text: string): Body | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isBody(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Reads the entries in one pass: what they say, and whether they are those that the service wrote. */
export const makeStatedReader = () => {
  const stated = nothingStated();
  const verifier = makeChainVerifier([]);
  return {
    take: (link: StoredLink): void => {
      verifier.take(link);
      takeEntry(stated, link);
    },
    end: () => ({ stated, faults: verifier.end().faults }),
  };
};
