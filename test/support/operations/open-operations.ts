import { randomUUID } from "node:crypto";
import Database from "better-sqlite3";
import { type AssetReference, type EventName, eventTopic } from "#contract/event";
import type { Json } from "#contract/json";
import type { Blobs, Keyring } from "#machine/storage/blobs";
import { openEvent } from "#record/operations/sealed-event";
import { makeTrackCall, makeTrackDecision } from "#record/operations/track-call";

/** An event as a receiver gets it, before its images have links. */
export type ReadEvent = {
  readonly id: string;
  readonly name: EventName;
  readonly sequence: number;
  readonly data: Readonly<Record<string, Json>>;
  readonly assets: readonly AssetReference[];
};

type Row = Readonly<Record<string, unknown>>;

/** Runs a statement beside the store, and returns its rows. */
export type Query = (statement: string, ...values: readonly string[]) => readonly Row[];

const makeQuery =
  (file: string): Query =>
  (statement, ...values) => {
    const sqlite = new Database(file);
    try {
      return sqlite.prepare<string[], Row>(statement).all(...values);
    } finally {
      sqlite.close();
    }
  };

const isEventName = (name: unknown): name is EventName => typeof name === "string" && name in eventTopic;

/** The bytes of a column. */
export const bytesOf = (value: unknown): Uint8Array => {
  if (value instanceof Uint8Array) return value;
  throw new Error("The column holds no bytes");
};

const makeReadEvents =
  (keyring: Keyring, query: Query) =>
  async (tenantId: string, operationId: string): Promise<readonly ReadEvent[]> => {
    const statement = "select * from events where tenant_id = ? and operation_id = ? order by sequence";
    const events: ReadEvent[] = [];
    for (const row of query(statement, tenantId, operationId)) {
      const [id, name] = [String(row["id"]), row["name"]];
      if (!isEventName(name)) throw new Error(`There is no event ${String(name)}`);
      const environment = row["environment"] === "live" ? "live" : "test";
      const sealedData = bytesOf(row["sealed_data"]);
      const content = await openEvent(keyring, { tenantId, environment, id, sealedData });
      events.push({ id, name, sequence: Number(row["sequence"]), ...content });
    }
    return events;
  };

type Options = {
  readonly keyring: Keyring;
  readonly blobs: Blobs;
  /** The database of an embedded store. */
  readonly file: string;
  readonly keepsImages?: boolean;
  /** Default: images are kept as they are. Tests of calls have bytes that are no image. */
  readonly keepPixels?: (bytes: Uint8Array) => Promise<Uint8Array>;
};

/** The operations of an embedded store: how calls join them, and what their tables hold. */
export const openOperations = ({
  keyring,
  blobs,
  file,
  keepsImages = true,
  keepPixels = async (bytes) => bytes,
}: Options) => {
  const deps = { keyring, blobs, newId: randomUUID, expiresAfterMs: 3_600_000, keepPixels, keepsImages };
  const query = makeQuery(file);
  return {
    tracking: { trackCall: makeTrackCall(deps), trackDecision: makeTrackDecision(deps) },
    query,
    /** The events of an operation in sequence. */
    eventsOf: makeReadEvents(keyring, query),
    /** The endpoints of the steps, oldest first. */
    stepsOf: (tenantId: string, operationId: string): readonly string[] => {
      const statement = "select endpoint from operation_steps where tenant_id = ? and operation_id = ?";
      return query(`${statement} order by at`, tenantId, operationId).map((row) => String(row["endpoint"]));
    },
    /** Ends an operation, as finishTracking does. */
    finish: (tenantId: string, operationId: string): void => {
      const change = "update operations set state = 'SUCCEEDED', ended_at = opened_at";
      query(`${change} where tenant_id = ? and id = ? returning id`, tenantId, operationId);
    },
    /** The bytes of a kept image. */
    imageOf: async (tenantId: string, { id }: AssetReference): Promise<Uint8Array> => {
      const [row] = query("select blob_id from assets where tenant_id = ? and id = ?", tenantId, id);
      return await blobs.get(tenantId, String(row?.["blob_id"]));
    },
  };
};
