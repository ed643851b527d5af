import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import type { NewDestination } from "#record/webhooks/store/stored-destination";
import type { TokenClaim } from "#record/webhooks/store/token-store";
import {
  at,
  closeFresh,
  countRows,
  newTenantIn,
  noStep,
  openFresh,
  type StoreHarness,
  someBytes,
} from "../../storage/suite.ts";

const aDestination = (tenantId: string, change: Partial<NewDestination> = {}): NewDestination => ({
  tenantId,
  environment: "test",
  id: randomUUID(),
  name: "Ñandú \u{1f4e8}",
  state: "active",
  topics: ["workflows/*/v1", "*"],
  isOrdered: true,
  sealedSettings: someBytes(),
  createdAt: at(1),
  ...change,
});

const anEntry = (id: string) => ({
  evidence: [{ id, kind: "destination_changed", at: at(2), body: { destination: "x" } }],
});

/** The guarantees of every store for destinations and their tokens. */
export const describeDestinations = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`destinations: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;
    const owner = () => ({ tenantId, environment: "test" as const });
    const create = async (change: Partial<NewDestination> = {}): Promise<NewDestination> => {
      const made = aDestination(tenantId, change);
      expect(await store.createDestination(made, 50, noStep)).toBe(true);
      return made;
    };

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
    });
    afterEach(() => closeFresh({ harness, store }));

    it("return as they were created, the oldest first, to their tenant and environment alone", async () => {
      const first = await create();
      const paused = await create({
        state: "paused",
        stateReason: "handshake",
        createdAt: at(0),
        isOrdered: false,
      });
      await create({ environment: "live" });
      const other = await newTenantIn(store);
      const expected = { ...first, revision: 1, changedAt: at(1) };
      expect(await store.findDestination(owner(), first.id)).toStrictEqual(expected);
      expect(await store.listDestinations(owner())).toStrictEqual([
        { ...paused, revision: 1, changedAt: at(0) },
        expected,
      ]);
      for (const otherOwner of [
        { ...owner(), environment: "live" as const },
        { ...owner(), tenantId: other },
      ])
        expect(await store.findDestination(otherOwner, first.id)).toBeUndefined();
    });

    it("are no more than allowed, also of two processes at once", async () => {
      const second = await harness.open();
      const made = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          (n % 2 === 0 ? store : second).createDestination(aDestination(tenantId), 5, noStep),
        ),
      );
      await second.close();
      expect(made.filter(Boolean)).toHaveLength(5);
      expect(await countRows(harness, "destinations")).toBe(5);
      expect(await store.createDestination(aDestination(tenantId, { environment: "live" }), 5, noStep)).toBe(
        true,
      );
    });

    it("change with their evidence, once for each revision", async () => {
      const made = await create();
      const read = { ...made, revision: 1 };
      const change = {
        at: at(9),
        name: "new",
        topics: ["*"],
        isOrdered: false,
        sealedSettings: someBytes(),
        formerUntil: at(99),
        state: { is: "paused", reason: "operator" },
      } as const;
      expect(await store.changeDestination(read, change, anEntry("one"))).toBe(true);
      expect(await store.changeDestination(read, { at: at(10), name: "lost" }, anEntry("two"))).toBe(false);
      expect(await store.findDestination(owner(), made.id)).toStrictEqual({
        ...made,
        name: "new",
        topics: ["*"],
        isOrdered: false,
        sealedSettings: change.sealedSettings,
        formerUntil: at(99),
        state: "paused",
        stateReason: "operator",
        revision: 2,
        changedAt: at(9),
      });
      expect(await countRows(harness, "evidence")).toBe(1);
      await store.changeDestination({ ...read, revision: 2 }, { at: at(11), formerUntil: "none" }, noStep);
      const after = await store.findDestination(owner(), made.id);
      expect([after?.formerUntil, after?.state]).toEqual([undefined, "paused"]);
    });

    it("forget failures when they are enabled", async () => {
      const made = await create({ state: "disabled", stateReason: "failures" });
      await harness.query(
        "update destinations set failing_since = 5, gone_since = 6, warned = 2, blocked_until = 7",
      );
      const enabling = { at: at(9), state: { is: "active" }, forgetsFailures: true } as const;
      expect(await store.changeDestination({ ...made, revision: 1 }, enabling, noStep)).toBe(true);
      const [row] = await harness.query(
        "select failing_since, gone_since, warned, blocked_until, state_reason from destinations",
      );
      expect({ ...row, warned: Number(row?.["warned"]) }).toEqual({
        failing_since: null,
        gone_since: null,
        warned: 0,
        blocked_until: null,
        state_reason: null,
      });
    });

    it("leave no secret, name or token when they are removed, and take no further change", async () => {
      const made = await create();
      await store.claimToken(aClaim(made.id));
      const read = { ...made, revision: 1 };
      expect(await store.removeDestination(read, at(9), anEntry("one"))).toBe(true);
      expect(await store.removeDestination({ ...read, revision: 2 }, at(9), anEntry("two"))).toBe(false);
      expect(await store.findDestination(owner(), made.id)).toBeUndefined();
      expect(await store.listDestinations(owner())).toEqual([]);
      expect(await countRows(harness, "destination_tokens")).toBe(0);
      const [row] = await harness.query(
        "select name, state, length(sealed_settings) as bytes from destinations",
      );
      expect({ ...row, bytes: Number(row?.["bytes"]) }).toEqual({ name: "", state: "removed", bytes: 0 });
      expect(await store.changeDestination({ ...read, revision: 2 }, { at: at(9), name: "x" }, noStep)).toBe(
        false,
      );
    });

    it("go with their tenant, and those of another tenant stay", async () => {
      const made = await create();
      await create({ environment: "live" });
      await store.claimToken(aClaim(made.id));
      const later = await create({ createdAt: at(100) });
      await store.claimToken(aClaim(later.id));
      const other = aDestination(await newTenantIn(store));
      await store.createDestination(other, 50, noStep);
      expect(await store.forgetDestinations(tenantId, at(50))).toBe(2);
      expect((await store.listDestinations(owner())).map(({ id }) => id)).toEqual([later.id]);
      expect(await store.findDestination(other, other.id)).toBeDefined();
      expect(await harness.query("select destination_id from destination_tokens")).toEqual([
        { destination_id: later.id },
      ]);
    });

    it("are listed once the last of their former secrets has ended", async () => {
      const [ended, signing] = [await create(), await create()];
      await store.changeDestination({ ...ended, revision: 1 }, { at: at(2), formerUntil: at(10) }, noStep);
      await store.changeDestination({ ...signing, revision: 1 }, { at: at(2), formerUntil: at(11) }, noStep);
      expect((await store.listFormerSecrets(at(10))).map(({ id }) => id)).toEqual([ended.id]);
    });

    const aClaim = (destinationId: string, change: Partial<TokenClaim> = {}): TokenClaim => ({
      tenantId,
      destinationId,
      revision: 1,
      now: at(0),
      holder: "first",
      leasedUntil: at(15_000),
      ...change,
    });

    it("have one worker that renews their token, of many in two processes", async () => {
      const { id } = await create();
      const second = await harness.open();
      const kinds = await Promise.all(
        Array.from(
          { length: 10 },
          async (_, n) =>
            (await (n % 2 === 0 ? store : second).claimToken(aClaim(id, { holder: `worker ${n}` }))).kind,
        ),
      );
      await second.close();
      expect(kinds.toSorted()).toEqual(["claimed", ...Array.from({ length: 9 }, () => "held")]);
    });

    it("keep a token for every worker until it is due, and serve it while another renews", async () => {
      const { id } = await create();
      expect(await store.claimToken(aClaim(id))).toEqual({ kind: "claimed" });
      const token = { sealed: someBytes(), refreshAt: at(80), expiresAt: at(100) };
      const held = aClaim(id);
      expect(await store.keepToken(held, token)).toBe(1);
      const kept = { ...token, serial: 1 };
      const second = (ms: number, change: Partial<TokenClaim> = {}) =>
        aClaim(id, { holder: "second", now: at(ms), leasedUntil: at(ms + 15_000), ...change });
      expect(await store.claimToken(second(79))).toStrictEqual({ kind: "fresh", token: kept });
      expect(await store.claimToken(second(80))).toStrictEqual({ kind: "claimed", token: kept });
      expect(await store.claimToken(aClaim(id, { now: at(81) }))).toStrictEqual({
        kind: "held",
        token: kept,
      });
      // The holder died with its lease: the token has expired meanwhile.
      expect(await store.claimToken(aClaim(id, { now: at(15_080), leasedUntil: at(30_000) }))).toEqual({
        kind: "claimed",
      });
      expect(await store.keepToken(second(0), token)).toBeUndefined();
    });

    it("renew a token that the receiver refused, or that belongs to an earlier revision", async () => {
      const { id } = await create();
      await store.claimToken(aClaim(id));
      const token = { sealed: someBytes(), refreshAt: at(800), expiresAt: at(1000) };
      await store.keepToken(aClaim(id), token);
      expect(await store.claimToken(aClaim(id, { revision: 2 }))).toEqual({ kind: "claimed" });
      await store.releaseToken(aClaim(id));
      expect(await store.claimToken(aClaim(id, { refusedSerial: 1 }))).toEqual({ kind: "claimed" });
      expect(await store.keepToken(aClaim(id), token)).toBe(2);
      // Another worker whose token of the same serial was refused gets the new one.
      expect(await store.claimToken(aClaim(id, { refusedSerial: 1 }))).toMatchObject({ kind: "fresh" });
    });

    it("pause after a failed renewal only while the former token works", async () => {
      const { id } = await create();
      await store.claimToken(aClaim(id));
      await store.keepToken(aClaim(id), { sealed: someBytes(), refreshAt: at(10), expiresAt: at(100) });
      const due = (change: Partial<TokenClaim> = {}) => aClaim(id, { now: at(20), ...change });
      expect(await store.claimToken(due())).toMatchObject({ kind: "claimed" });
      await store.releaseToken(due(), at(30_000));
      expect(await store.claimToken(due())).toMatchObject({ kind: "held", token: { serial: 1 } });
      expect(await store.claimToken(due({ refusedSerial: 1 }))).toEqual({ kind: "claimed" });
    });
  });
};
