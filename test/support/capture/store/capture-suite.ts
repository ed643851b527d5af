import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import type { CaptureChange, CaptureRow } from "#features/capture/store/capture-row";
import {
  aStep,
  aTransaction,
  at,
  closeFresh,
  countRows,
  newTenantIn,
  noStep,
  openFresh,
  type StoreHarness,
  someBytes,
} from "../../storage/suite.ts";

/** The guarantees of every store for capture sessions. */
export const describeCaptures = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`captures: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
    });
    afterEach(() => closeFresh({ harness, store }));

    const create = async (change: Partial<CaptureRow> = {}): Promise<CaptureRow & { hash: string }> => {
      const row: CaptureRow = {
        tenantId,
        id: randomUUID(),
        environment: "test",
        keyId: "key",
        operationId: "operation",
        state: "OPEN",
        revision: 0,
        createdAt: at(0),
        expiresAt: at(1000),
        sealed: someBytes(),
        blobIds: [],
        ...change,
      };
      const hash = randomUUID();
      await store.createCapture(row, { hash, holder: "page" }, aTransaction(row.tenantId), noStep);
      return { ...row, hash };
    };
    const aChange = (row: CaptureRow, change: Partial<CaptureChange> = {}): CaptureChange => ({
      tenantId: row.tenantId,
      id: row.id,
      revision: row.revision,
      state: row.state,
      sealed: someBytes(),
      blobIds: [],
      added: [],
      removed: [],
      ...change,
    });
    const aBlob = (id: string) => ({ id, tenantId, kind: "capture", bytes: 1, createdAt: at(1) });

    it("finds a session by its id within tenant and environment, and by its token", async () => {
      const { hash, ...row } = await create();
      const owner = { tenantId, environment: "test" } as const;
      expect(await store.findCapture(owner, row.id)).toEqual(row);
      expect(await store.findCaptureOfToken(hash)).toEqual({ row, holder: "page" });
      expect(await store.findCapture({ ...owner, environment: "live" }, row.id)).toBeUndefined();
      expect(await store.findCapture({ ...owner, tenantId: randomUUID() }, row.id)).toBeUndefined();
      expect(await store.findCaptureOfToken(randomUUID())).toBeUndefined();
    });

    it("lets one of two changes of a revision through, with its record and step", async () => {
      const row = await create();
      const other = await harness.open();
      const made = await Promise.all(
        [store, other].map((process, n) =>
          process.changeCapture(aChange(row, { state: "CANCELLED" }), aTransaction(tenantId), aStep(`${n}`)),
        ),
      );
      await other.close();
      expect(made.filter((isMade) => isMade)).toHaveLength(1);
      expect(await store.findCapture(row, row.id)).toMatchObject({ state: "CANCELLED", revision: 1 });
      expect(await countRows(harness, "evidence")).toBe(1);
      expect(await countRows(harness, "transactions")).toBe(2);
    });

    it("keeps the rows of the objects that a session holds", async () => {
      const row = await create();
      const added = { added: [aBlob("one"), aBlob("two")], blobIds: ["one", "two"] };
      expect(await store.changeCapture(aChange(row, added), undefined, noStep)).toBe(true);
      const removed = { revision: 1, removed: ["one"], blobIds: ["two"] };
      expect(await store.changeCapture(aChange(row, removed), undefined, noStep)).toBe(true);
      expect(await store.knownBlobIds(tenantId, ["one", "two"])).toEqual(["two"]);
      expect(await store.forgetBlobs(at(10_000))).toBe(0);
      expect(await store.purgeCaptures(tenantId, at(1))).toBe(1);
      expect(await countRows(harness, "blobs")).toBe(0);
      expect(await countRows(harness, "capture_tokens")).toBe(0);
    });

    it("replaces the token of a hand-off, and never that of the page", async () => {
      const row = await create();
      for (const [revision, hash] of [
        [0, "first"],
        [1, "second"],
      ] as const) {
        const token = { hash: `${row.id} ${hash}`, holder: "handoff" } as const;
        await store.changeCapture(aChange(row, { revision, token }), undefined, noStep);
      }
      expect(await store.findCaptureOfToken(`${row.id} first`)).toBeUndefined();
      expect((await store.findCaptureOfToken(`${row.id} second`))?.holder).toBe("handoff");
      expect((await store.findCaptureOfToken(row.hash))?.holder).toBe("page");
    });

    it("ends open sessions with their time, and no others", async () => {
      const open = await create({ expiresAt: at(10) });
      const ended = await create({ expiresAt: at(10), state: "COMPLETED" });
      const young = await create({ expiresAt: at(11) });
      expect(await store.expireCaptures(at(10))).toBe(1);
      expect(await store.expireCaptures(at(10))).toBe(0);
      const states = await Promise.all(
        [open, ended, young].map(async (row) => (await store.findCapture(row, row.id))?.state),
      );
      expect(states).toEqual(["EXPIRED", "COMPLETED", "OPEN"]);
    });

    it("forgives the oldest refusal of one subject, and none of another", async () => {
      const row = await create();
      const failures = [1, 2, 3].flatMap((n) =>
        ["address", "person"].map((subject) => ({ id: `${subject} ${n}`, subject, at: at(n) })),
      );
      await store.changeCapture(aChange(row, { failures }), undefined, noStep);
      const forgive = async (revision: number, subject: string, since: number) =>
        await store.changeCapture(
          aChange(row, { revision, forgiven: { subject, since: at(since) } }),
          undefined,
          noStep,
        );
      await forgive(1, "address", 0);
      expect(await store.listCaptureFailures(tenantId, "address", at(0))).toEqual([at(3), at(2)]);
      expect(await store.listCaptureFailures(tenantId, "person", at(0))).toHaveLength(3);
      await forgive(2, "none", 0);
      expect(await store.listCaptureFailures(tenantId, "address", at(0))).toHaveLength(2);
    });

    it("forgives the oldest refusal that still counts, and leaves those that count no more", async () => {
      const row = await create();
      const failures = [1, 5, 6].map((n) => ({ id: `${n}`, subject: "address", at: at(n) }));
      await store.changeCapture(aChange(row, { failures }), undefined, noStep);
      const forgiven = { subject: "address", since: at(5) };
      await store.changeCapture(aChange(row, { revision: 1, forgiven }), undefined, noStep);
      expect(await store.listCaptureFailures(tenantId, "address", at(0))).toEqual([at(6), at(1)]);
      const later = { revision: 2, forgiven: { subject: "address", since: at(7) } };
      await store.changeCapture(aChange(row, later), undefined, noStep);
      expect(await store.listCaptureFailures(tenantId, "address", at(0))).toHaveLength(2);
    });

    it("lists refusals of a subject, and removes sessions and refusals of one tenant by age", async () => {
      const row = await create();
      const failures = [
        { id: "1", subject: "person", at: at(5) },
        { id: "2", subject: "address", at: at(6) },
      ];
      await store.changeCapture(aChange(row, { failures }), undefined, noStep);
      expect(await store.listCaptureFailures(tenantId, "person", at(5))).toEqual([at(5)]);
      expect(await store.listCaptureFailures(tenantId, "person", at(6))).toEqual([]);
      const other = await newTenantIn(store);
      await create({ tenantId: other });
      expect(await store.purgeCaptureFailures(tenantId, at(6))).toBe(1);
      expect(await store.purgeCaptures(tenantId, at(0))).toBe(0);
      expect(await store.purgeCaptures(tenantId, at(1))).toBe(1);
      expect(await countRows(harness, "capture_sessions")).toBe(1);
    });
  });
};
