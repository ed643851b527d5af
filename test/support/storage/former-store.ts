import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import { migrations } from "#app/tables";
import { canonicalJson } from "#contract/canonical-json";
import type { SqlDialect } from "#machine/storage/sql-dialect";
import { chainStart, hashFormerLink } from "#record/transactions/evidence";
import { makeChainVerifier } from "#record/transactions/verify-chain";
import { aTransaction, at, noStep } from "./suite.ts";

/** A database without tables. */
export type EmptyDatabase = {
  readonly run: (statement: string) => Promise<unknown>;
  /** Migrates it as a start does, and opens it. */
  readonly open: () => Promise<Store>;
  readonly remove: () => Promise<void>;
};

/** The last version that kept bodies in the chain and measurements in plain. */
const formerVersion = 10;

/** Makes the tables of an earlier release. */
const migrateTo = async (last: number, { run }: EmptyDatabase, dialect: SqlDialect): Promise<void> => {
  await run(
    `create table migrations (version ${dialect.int} primary key, name ${dialect.text} not null, applied_at ${dialect.int} not null)`,
  );
  for (const { version, name, statements } of migrations) {
    if (version > last) continue;
    for (const statement of statements(dialect)) await run(statement);
    await run(`insert into migrations (version, name, applied_at) values (${version}, '${name}', 0)`);
  }
};

/** Writes rows as a release of version 10 wrote them. */
export const writeFormer = async (database: EmptyDatabase, dialect: SqlDialect) => {
  const { run } = database;
  await migrateTo(formerVersion, database, dialect);
  const [tenantId, call] = [randomUUID(), randomUUID()];
  await run(`insert into tenants (id, name, created_at) values ('${tenantId}', 'a', 0)`);
  await run(
    `insert into transactions (tenant_id, id, key_id, environment, endpoint, at, result, measurements, policy_version, models, token_hashes)
      values ('${tenantId}', '${call}', 'k', 'test', 'identity', ${at(1).getTime()}, '{"code":1}', '{"eyes":61.5}', '1', '{}', '[]')`,
  );
  let prevHash = chainStart;
  for (let seq = 1; seq <= 3; seq++) {
    const kind = seq === 2 ? "data_key_destroyed" : "person_enrolled";
    const link = { tenantId, seq, id: `entry ${seq}`, kind, at: at(seq).getTime(), prevHash };
    const body = { person: `p${seq}`, transaction: call };
    const hash = hashFormerLink({ ...link, body });
    await run(
      `insert into evidence (tenant_id, seq, id, kind, at, body, prev_hash, hash)
        values ('${tenantId}', ${seq}, '${link.id}', '${kind}', ${link.at}, '${canonicalJson(body)}', '${prevHash}', '${hash}')`,
    );
    prevHash = hash;
  }
  return { tenantId, call };
};

/** The last version whose callbacks of clearing had a table of their own. */
const callbackVersion = 30;

/**
 * Writes two callbacks as a release of version 30 wrote them: the first waits and is leased, the second is
 * delivered.
 */
const writeCallbacks = async (database: EmptyDatabase, dialect: SqlDialect, log: readonly unknown[]) => {
  const { run } = database;
  await migrateTo(callbackVersion, database, dialect);
  const sealed = dialect.bytes === "bytea" ? "'\\x07'::bytea" : "x'07'";
  const text = JSON.stringify(log).replaceAll("'", "''");
  const columns =
    "tenant_id, id, environment, state, failures, log, created_at, settled_at, sealed, attempts, leased_by, leased_until, lone_deaths";
  await run("insert into tenants (id, name, created_at) values ('tenant', 'a', 0)");
  await run(
    `insert into clearing_callbacks (${columns}) values
      ('tenant', 'waits', 'test', 'due', 1, '${text}', ${at(1).getTime()}, null, ${sealed}, 1, 'worker', ${at(9).getTime()}, 2),
      ('tenant', 'ended', 'live', 'delivered', 0, '[]', ${at(1).getTime()}, ${at(2).getTime()}, null, 0, null, null, null)`,
  );
};

/** The guarantees of migrations 12 and 31 for the rows of earlier releases. */
export const describeFormerStore = (
  name: string,
  dialect: SqlDialect,
  makeDatabase: () => Promise<EmptyDatabase>,
): void => {
  describe(`rows of an earlier release: ${name}`, () => {
    it("keep their place and hash in the chain, which goes on from them and can be verified", async () => {
      const database = await makeDatabase();
      const { tenantId, call } = await writeFormer(database, dialect);
      const store = await database.open();
      const evidence = [{ id: "entry 4", kind: "person_enrolled", at: at(4), body: {} }];
      await store.recordTransaction(aTransaction(tenantId), [], { evidence });
      const verify = async () => {
        const verifier = makeChainVerifier([]);
        (await store.listLinks(tenantId, 0)).forEach(verifier.take);
        return verifier.end();
      };
      expect(await verify()).toMatchObject({ entries: 4, placeOnly: 0, faults: [] });
      expect((await store.listEvidence(tenantId, 2)).map(({ body }) => body)).toStrictEqual([
        { person: "p3", transaction: call },
        {},
      ]);
      await expect(database.run("delete from evidence")).rejects.toThrow("append-only");
      await expect(database.run("update evidence set kind = 'x'")).rejects.toThrow("append-only");
      expect(await store.removeBodies(tenantId, at(99), { id: "removal", at: at(100) })).toBe(3);
      expect(await verify()).toMatchObject({ entries: 5, placeOnly: 2, bodiesRemoved: 3, faults: [] });
      await store.close();
      await database.remove();
    });

    it("of callbacks are one-shots, with their leases and their logs", async () => {
      const database = await makeDatabase();
      const attempt = { at: "2026-11-25T10:00:00.000Z", outcome: "refused", decision: "retry", totalMs: 12 };
      const reason = 'It answered {"said":1}';
      await writeCallbacks(database, dialect, [{ ...attempt, said: 200, reason }]);
      const store = await database.open();
      expect(await store.listOneShots({ tenantId: "tenant", environment: "test" }, 10)).toStrictEqual([
        {
          tenantId: "tenant",
          environment: "test",
          id: "waits",
          state: "due",
          failures: 1,
          log: [{ ...attempt, reportedStatus: 200, reason }],
          createdAt: at(1),
          sealed: new Uint8Array([7]),
          attempts: 1,
          deaths: 2,
        },
      ]);
      const ended = await store.listOneShots({ tenantId: "tenant", environment: "live" }, 10);
      expect(ended).toMatchObject([{ id: "ended", state: "delivered", settledAt: at(2) }]);
      const held = { tenantId: "tenant", id: "waits", worker: "worker" };
      expect(await store.renewOneShot(held, at(99))).toBe(true);
      await store.close();
      await database.remove();
    });

    it("keep their measurements until they are sealed or removed", async () => {
      const database = await makeDatabase();
      const { tenantId, call } = await writeFormer(database, dialect);
      const store = await database.open();
      expect(await store.listPlainMeasurements(tenantId)).toStrictEqual([
        { tenantId, environment: "test", id: call, measurements: { eyes: 61.5 } },
      ]);
      expect(await store.findTransaction(tenantId, call)).toMatchObject({
        result: { code: 1 },
        plainMeasurements: { eyes: 61.5 },
      });
      await store.recordTransaction(aTransaction(tenantId), [], noStep);
      expect(await store.listPlainMeasurements(tenantId)).toHaveLength(1);
      expect(await store.forgetPlainMeasurements(tenantId)).toBe(1);
      expect(await store.listPlainMeasurements(tenantId)).toStrictEqual([]);
      await store.close();
      await database.remove();
    });
  });
};
