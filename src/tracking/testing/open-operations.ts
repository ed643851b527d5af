import { randomUUID } from "node:crypto";
import Database from "better-sqlite3";
import type { EventName } from "#contract/event";
import type { Json } from "#contract/json";
import type { Blobs, Keyring } from "#storage/blobs";
import type { AssetReference } from "#transactions/operation-step";
import { openEvent } from "../sealed-event.ts";
import { makeTrackCall, makeTrackDecision } from "../track-call.ts";

/** An event as a receiver gets it, before its images have links. */
export type ReadEvent = {
  readonly id: string;
  readonly name: EventName;
  readonly sequence: number;
  readonly data: Readonly<Record<string, Json>>;
  readonly assets: readonly AssetReference[];
};

type Options = {
  readonly keyring: Keyring;
  readonly blobs: Blobs;
  /** The database of an embedded store. */
  readonly file: string;
  readonly keepsImages?: boolean;
};

type EventRow = {
  readonly id: string;
  readonly name: EventName;
  readonly sequence: number;
  readonly sealed_data: Uint8Array;
};

/** The operations of an embedded store: how calls join them, and what their tables hold. */
export const openOperations = ({ keyring, blobs, file, keepsImages = true }: Options) => {
  const deps = { keyring, blobs, newId: randomUUID, expiresAfterMs: 3_600_000, keepsImages };
  const query = <Row>(statement: string, ...values: readonly string[]): readonly Row[] => {
    const sqlite = new Database(file);
    try {
      return sqlite.prepare<string[], Row>(statement).all(...values);
    } finally {
      sqlite.close();
    }
  };
  const eventsOf = async (tenantId: string, operationId: string): Promise<readonly ReadEvent[]> => {
    const rows = query<EventRow>(
      `select id, name, sequence, sealed_data from events
        where tenant_id = ? and operation_id = ? order by sequence`,
      tenantId,
      operationId,
    );
    const events: ReadEvent[] = [];
    for (const { id, name, sequence, sealed_data: sealedData } of rows) {
      events.push({ id, name, sequence, ...(await openEvent(keyring, { tenantId, id, sealedData })) });
    }
    return events;
  };
  return {
    tracking: { trackCall: makeTrackCall(deps), trackDecision: makeTrackDecision(deps) },
    query,
    eventsOf,
    /** The endpoints of the steps, oldest first. */
    stepsOf: (tenantId: string, operationId: string): readonly string[] =>
      query<{ endpoint: string }>(
        "select endpoint from operation_steps where tenant_id = ? and operation_id = ? order by at",
        tenantId,
        operationId,
      ).map(({ endpoint }) => endpoint),
    /** Ends an operation, as finishTracking does. */
    finish: (tenantId: string, operationId: string): void => {
      query(
        `update operations set state = 'SUCCEEDED', ended_at = opened_at
          where tenant_id = ? and id = ? returning id`,
        tenantId,
        operationId,
      );
    },
    /** The bytes of a kept image. */
    imageOf: async (tenantId: string, { id }: AssetReference): Promise<Uint8Array> => {
      const [row] = query<{ blob_id: string }>(
        "select blob_id from assets where tenant_id = ? and id = ?",
        tenantId,
        id,
      );
      return await blobs.get(tenantId, row?.blob_id ?? "");
    },
  };
};

export type Operations = ReturnType<typeof openOperations>;
