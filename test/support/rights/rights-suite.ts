import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listSealFaults } from "#app/rights";
import type { Store } from "#app/store";
import {
  isRightTable,
  type RightTable,
  type RightTableName,
  rightTables,
} from "#machine/storage/rights/declared-tables";
import { writeRights } from "../storage/right-rows.ts";
import { aStep, at, closeFresh, openFresh, type StoreHarness, someBytes } from "../storage/suite.ts";

const tableNames = Object.keys(rightTables).filter(isRightTable);
const declared: Readonly<Record<RightTableName, RightTable>> = rightTables;

/** Columns of bytes; all others are numbers or texts. */
const isBytes = (column: string): boolean => column.startsWith("sealed_") || column === "wrapped_key";
const numbers = [
  "seq",
  "uses",
  "uses_max",
  "is_ordered",
  "in_flight_max",
  "revision",
  "warned",
  "failing_since",
  "gone_since",
  "blocked_until",
  "former_until",
  "sequence",
  "attempts",
  "failures",
  "is_manual",
  "leased_until",
];
const isNumber = (column: string): boolean => column.endsWith("_at") || numbers.includes(column);

/** Another value of the column, in the words of both databases. */
const otherValue = (column: string, table?: RightTableName): string => {
  if (isBytes(column)) return "(select sealed from secrets limit 1)";
  if (isNumber(column)) return `coalesce(${column}, 0) + 1`;
  if (column === "environment") return "case environment when 'live' then 'test' else 'live' end";
  if (column === "holder") return "case holder when 'page' then 'handoff' else 'page' end";
  if (column === "same_person_by") return "'faces'";
  if (column === "state") return table === "deliveries" ? "'held'" : "'paused'";
  if (column === "state_reason") return "'handshake'";
  return `coalesce(${column}, '') || 'x'`;
};

/** The guarantees of every store for the rows that give a right. */
export const describeRights = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`rows that give a right: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let rows: Awaited<ReturnType<typeof writeRights>>;

    beforeEach(async () => {
      ({ harness, store } = await openFresh(makeHarness));
      rows = await writeRights(store);
    });
    afterEach(() => closeFresh({ harness, store }, { isTampered: true }));

    const places = async (): Promise<readonly string[]> => {
      const found: string[] = [];
      for await (const { table, fault } of listSealFaults(store)) found.push(`${table} ${fault}`);
      return found;
    };
    /**
     * A trigger of somebody who can write to the database: it gives the column another value in each new or
     * changed row.
     */
    const rewriteOn =
      (change: "insert" | "update") =>
      async (table: RightTableName, column: string): Promise<void> => {
        const where = declared[table].key.map((key) => `${key} = new.${key}`).join(" and ");
        const value = otherValue(column);
        const ofNew = value.replaceAll(new RegExp(`\\b${column}\\b`, "g"), `new.${column}`);
        await harness
          .query(
            `create trigger forged after ${change} on ${table} ${change === "update" ? `when new.${column} is old.${column}` : ""}
              begin update ${table} set ${column} = ${value} where ${where}; end`,
          )
          .catch(async () => {
            await harness.query(`create or replace function forge_${column}() returns trigger language plpgsql
              as $$ begin new.${column} := ${ofNew}; return new; end $$`);
            await harness.query(`create trigger forged before ${change} on ${table}
              for each row execute function forge_${column}()`);
          });
      };
    const rewriteOnInsert = rewriteOn("insert");
    const rewriteOnUpdate = rewriteOn("update");
    const dropTrigger = (table: RightTableName) =>
      harness.query("drop trigger forged").catch(() => harness.query(`drop trigger forged on ${table}`));
    const damage = (work: Promise<unknown>) => expect(work).rejects.toMatchObject({ code: "stored_damaged" });

    it("are whole as the commands wrote them, and after each change by a command", async () => {
      expect(await places()).toEqual([]);
      const { tenantId, apiKey, destination, token } = rows;
      await store.endApiKey(tenantId, apiKey.id, at(100));
      await store.revokeApiKey(tenantId, apiKey.id, at(200), aStep("revoked"));
      await store.setDefaultCountry(tenantId, "COL");
      await store.touchApiKeys([{ keyId: apiKey.id, at: at(7) }]);
      await store.changeDestination(
        { ...destination, revision: 1 },
        { at: at(9), topics: ["a"] },
        aStep("changed"),
      );
      await store.useClearingToken(token, token.hash, at(3), aStep("used"));
      expect(await places()).toEqual([]);
      await store.removeDestination({ ...destination, revision: 2 }, at(10), aStep("removed"));
      await store.forgetDestinations(tenantId, at(99));
      expect(await places()).toEqual([]);
    });

    it.each(
      tableNames.flatMap((table) =>
        declared[table].covers.map((column): [RightTableName, string] => [table, column]),
      ),
    )("%s: another %s is found", async (table, column) => {
      const mine = `where ${table === "tenants" ? "id" : "tenant_id"} = '${rows.tenantId}'`;
      if (table === "capture_tokens" && column !== "holder") {
        const more = await writeRights(store);
        await harness.query(
          `update capture_tokens set tenant_id = '${more.tenantId}', session_id = '${more.session.id}' ${mine}`,
        );
      } else if (column === "data_key_id") {
        const key = { ...rows.dataKey, id: randomUUID(), purpose: "others" };
        await store.insertKey(key);
        await harness.query(`update ${table} set data_key_id = '${key.id}' ${mine}`);
      } else if (table === "assets" && ["operation_id", "blob_id", "environment"].includes(column)) {
        // The foreign keys ask for a row of the tenant.
        await harness.query(
          `insert into operations (tenant_id, environment, id, state, opened_at, expires_at, last_sequence)
            select tenant_id, 'live', id, state, opened_at, expires_at, last_sequence from operations ${mine}`,
        );
        const other = column === "environment" ? "'live'" : `(select max(${column}) from assets ${mine})`;
        await harness.query(`update assets set ${column} = ${other} ${mine}`);
      } else {
        await harness.query(`update ${table} set ${column} = ${otherValue(column)} ${mine}`);
      }
      expect(new Set(await places())).toEqual(new Set([`${table} changed`]));
    });

    it("change what the seal leaves out without a fault", async () => {
      for (const table of tableNames) {
        for (const column of Object.keys(declared[table].beside)) {
          await harness.query(`update ${table} set ${column} = ${otherValue(column, table)}`);
        }
      }
      expect(await places()).toEqual([]);
    });

    it.each(tableNames)(
      "%s: a row without a seal, and one with the seal of another, is found",
      async (table) => {
        const more = await writeRights(store);
        await harness.query(
          `update ${table} set seal = null where ${table === "tenants" ? "id" : "tenant_id"} = '${more.tenantId}'`,
        );
        expect(new Set(await places())).toEqual(new Set([`${table} unsealed`]));
        const other = `(select seal from ${table} where seal is not null limit 1)`;
        await harness.query(`update ${table} set seal = ${other} where seal is null`);
        expect(new Set(await places())).toEqual(new Set([`${table} changed`]));
      },
    );

    it.each([
      ["tenants", "default_country"],
      ["api_keys", "hash"],
      ["destinations", "sealed_settings"],
      ["clearing_credentials", "password_hash"],
      ["clearing_tokens", "uses_max"],
      ["capture_tokens", "holder"],
      ["blocked_faces", "sealed_template"],
      ["listed_documents", "number"],
    ] as const)("%s: a %s that a trigger writes gets no seal", async (table, column) => {
      await rewriteOnInsert(table, column);
      await damage(writeRights(store));
      await dropTrigger(table);
      expect(await places()).toEqual([]);
    });

    it("the end of a chain that a trigger writes has no seal that fits", async () => {
      await rewriteOnInsert("evidence_heads", "hash");
      await writeRights(store).catch(() => undefined);
      await dropTrigger("evidence_heads");
      expect(await places()).toContain("evidence_heads changed");
    });

    it("a change that a trigger adds to gets no seal, and takes no place", async () => {
      const { tenantId, environment, apiKey, destination } = rows;
      const change = { at: at(9), sealedSettings: someBytes() };
      await rewriteOnUpdate("destinations", "topics");
      await damage(store.changeDestination({ ...destination, revision: 1 }, change, aStep("changed")));
      await dropTrigger("destinations");
      expect(await store.findDestination({ tenantId, environment }, destination.id)).toMatchObject({
        revision: 1,
        topics: destination.topics,
      });
      await rewriteOnUpdate("api_keys", "scopes");
      await damage(store.endApiKey(tenantId, apiKey.id, at(100)));
      await damage(store.revokeApiKey(tenantId, apiKey.id, at(100), aStep("revoked")));
      await dropTrigger("api_keys");
      expect(await places()).toEqual([]);
    });

    it("decide nothing once they were changed: keys, settings, receivers, credentials, tokens, lists", async () => {
      const { tenantId, environment, apiKey, destination, token, pageHash, face, listed } = rows;
      const change = async (table: RightTableName, column: string) =>
        await harness.query(`update ${table} set ${column} = ${otherValue(column)}`);
      await change("api_keys", "scopes");
      await damage(store.findApiKey(apiKey.hash));
      await damage(store.endApiKey(tenantId, apiKey.id, at(100)));
      expect(await store.listApiKeys(tenantId)).toMatchObject([{ id: apiKey.id, isForged: true }]);
      await change("tenants", "default_country");
      await damage(store.findDefaultCountry(tenantId));
      await change("destinations", "topics");
      await damage(store.findDestination({ tenantId, environment }, destination.id));
      expect(await store.listDestinations({ tenantId, environment })).toMatchObject([
        { id: destination.id, isForged: true, topics: [] },
      ]);
      await damage(store.changeDestination({ ...destination, revision: 1 }, { at: at(9) }, aStep("changed")));
      await change("clearing_credentials", "password_hash");
      await damage(store.findClearingCredentials({ tenantId, environment }));
      await change("clearing_tokens", "uses_max");
      await damage(store.findClearingToken(token, token.hash, at(1)));
      await damage(store.useClearingToken(token, token.hash, at(1), aStep("used")));
      await change("capture_tokens", "holder");
      await damage(store.findCaptureOfToken(pageHash));
      await change("blocked_faces", "environment");
      await damage(store.listFaces("blocked", tenantId, "", 10));
      await damage(store.findFaces("blocked", tenantId, [face.id]));
      await change("listed_documents", "environment");
      await damage(store.isDocumentListed(tenantId, listed.number));
    });

    it("an image that names the object of another operation is marked wherever it is read, and can be revoked", async () => {
      const { tenantId, environment, assets } = rows;
      const owner = { tenantId, environment };
      const [mine, other] = assets;
      await harness.query(`update assets set blob_id = '${other!.blobId}' where id = '${mine!.id}'`);
      expect(await store.findAsset(mine!.id)).toMatchObject({ id: mine!.id, isForged: true });
      expect(await store.findAsset(other!.id)).not.toHaveProperty("isForged");
      expect((await store.readTimeline(owner, "kept"))?.assets).toMatchObject([{ isForged: true }]);
      expect((await store.readTimeline(owner, "other"))?.assets[0]).not.toHaveProperty("isForged");
      expect(await store.revokeAsset(owner, "kept", mine!.id, at(9), aStep("revoked"))).toBe(true);
      expect(await places()).toEqual([]);
      await harness.query(`update assets set revoked_at = null where id = '${mine!.id}'`);
      expect(await store.findAsset(mine!.id)).toMatchObject({ isForged: true });
      expect(await places()).toEqual(["assets changed"]);
    });

    it("a delivery that no command made is leased with a mark, and every other without", async () => {
      const { tenantId, destination } = rows;
      await harness.query(
        `delete from deliveries where tenant_id = '${tenantId}' and event_id = 'face-event'`,
      );
      await harness.query(`insert into deliveries (tenant_id, destination_id, event_id, operation_id, sequence,
          event_at, state, attempts, failures, is_manual, due_at, created_at)
        select tenant_id, '${destination.id}', id, operation_id, sequence, at, 'due', 0, 0, 0, at, at
          from events where tenant_id = '${tenantId}' and id = 'face-event'`);
      expect(await places()).toEqual(["deliveries unsealed"]);
      const lease = { worker: "one", now: at(99), leaseMs: 1000, limit: 100, inFlightMax: 100, after: "" };
      const { deliveries } = await store.leaseDeliveries(lease);
      const forged = deliveries.filter(({ isForged }) => isForged === true);
      expect(forged.map(({ eventId }) => eventId)).toEqual(["face-event"]);
      expect(deliveries.length).toBeGreaterThan(4);
    });

    it("are listed with a mark once they were changed, and can be removed: a receiver, a face, a document", async () => {
      const { tenantId, environment, destination, face, listed } = rows;
      await harness.query("update destinations set topics = 'none'");
      await harness.query(`update blocked_faces set environment = 'live'`);
      await harness.query(`update listed_documents set environment = 'live'`);
      expect(await store.listBlocked(tenantId, "")).toMatchObject([{ id: face.id, isForged: true }]);
      expect(await store.listListedDocuments(tenantId, "")).toMatchObject([
        { id: listed.id, isForged: true },
      ]);
      const revision = (await store.findRevision({ tenantId, environment }, destination.id)) ?? 0;
      const of = { tenantId, id: destination.id, revision };
      expect(await store.removeDestination(of, at(9), aStep("removed"))).toBe(true);
      expect(await store.unblockFace(tenantId, face.id, aStep("unblocked"))).toBe(true);
      expect(await store.unlistDocument(tenantId, listed.id, aStep("unlisted"))).toBe(true);
      expect(await places()).toEqual([]);
    });

    it("a key that was changed can be revoked, and is whole as a revoked one", async () => {
      const { tenantId, apiKey } = rows;
      await harness.query(`update api_keys set scopes = '["face","token"]'`);
      expect(await store.revokeApiKey(tenantId, apiKey.id, at(200), aStep("revoked"))).toBe(true);
      expect(await places()).toEqual([]);
      await harness.query("update api_keys set revoked_at = null");
      await damage(store.findApiKey(apiKey.hash));
    });

    it("a row that the operator accepts is whole, with an entry of evidence that names it", async () => {
      const { tenantId, apiKey } = rows;
      await harness.query(`update api_keys set scopes = '["face","token"]'`);
      expect(await store.acceptRight("api_keys", [tenantId, apiKey.id], at(5))).toBe(true);
      expect(await store.acceptRight("api_keys", [tenantId, apiKey.id], at(5))).toBe(false);
      expect((await store.findApiKey(apiKey.hash))?.scopes).toEqual(["face", "token"]);
      const last = (await store.listLinks(tenantId, 0)).at(-1);
      expect(last).toMatchObject({
        kind: "right_accepted",
        body: { text: expect.stringContaining(`"row":"api_keys ${tenantId} ${apiKey.id}"`) },
      });
      expect(JSON.parse(last?.body?.text ?? "")).toMatchObject({
        apiKeys: [{ apiKey: apiKey.id, environment: "test", scopes: '["face","token"]', revokedAt: null }],
      });
      expect(await places()).toEqual([]);
    });

    describe("the end of a chain", () => {
      const entry = (id: string) => [{ id, kind: "k", at: at(3), body: {} }];
      const lift = async () => {
        for (const trigger of ["evidence_no_update", "evidence_no_delete"])
          await harness.query(`drop trigger ${trigger}`).catch(() => undefined);
        await harness.query("alter table evidence disable trigger user").catch(() => undefined);
      };
      const last = async () => (await store.listLinks(rows.tenantId, 0)).at(-1);

      it("is found where an entry was added, and no command goes on from it", async () => {
        const end = await last();
        await harness.query(
          `insert into evidence (tenant_id, seq, id, kind, at, body_hash, prev_hash, hash)
            select tenant_id, seq + 1, 'forged', kind, at, body_hash, hash, prev_hash from evidence
            where tenant_id = '${rows.tenantId}' and seq = ${end?.seq}`,
        );
        expect(await places()).toEqual(["evidence_heads end"]);
        await damage(store.recordEvidence(rows.tenantId, entry("next")));
      });

      it("is found where it was cut off, also to its beginning", async () => {
        await lift();
        const end = await last();
        await harness.query(`delete from evidence_bodies where seq = ${end?.seq}`);
        await harness.query(`delete from evidence where seq = ${end?.seq}`);
        expect(await places()).toEqual(["evidence_heads end"]);
        await damage(store.recordEvidence(rows.tenantId, entry("next")));
        await harness.query("delete from evidence_bodies");
        await harness.query("delete from evidence");
        expect(await places()).toEqual(["evidence_heads end"]);
        await damage(store.recordEvidence(rows.tenantId, entry("next")));
      });

      it("is found where it was rewritten, or its seal was removed", async () => {
        await lift();
        const end = await last();
        await harness.query(`update evidence set hash = '${"ab".repeat(32)}' where seq = ${end?.seq}`);
        expect(await places()).toEqual(["evidence_heads end"]);
        await harness.query("delete from evidence_heads");
        expect(await places()).toEqual(["evidence_heads end"]);
        await damage(store.recordEvidence(rows.tenantId, entry("next")));
        expect(await store.acceptRight("evidence_heads", [rows.tenantId], at(5))).toBe(true);
        await store.recordEvidence(rows.tenantId, entry("next"));
        expect(await places()).toEqual([]);
      });
    });
  });
};
