import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import type { ClearingCredentials, ClearingToken } from "#features/clearing/store/clearing-token";
import type { Step } from "#record/transactions/record";
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
} from "../../storage/suite.ts";

const hourMs = 3_600_000;

/** The guarantees of every store for verification tokens and credentials of pension clearing. */
export const describeClearing = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`clearing: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
    });
    afterEach(() => closeFresh({ harness, store }));

    const issue = async (change: Partial<ClearingToken> = {}): Promise<ClearingToken> => {
      const token: ClearingToken = {
        tenantId,
        environment: "test",
        hash: randomUUID(),
        transactionId: randomUUID(),
        validationId: randomUUID(),
        issuedBy: randomUUID(),
        samePersonBy: "image",
        createdAt: at(0),
        expiresAt: at(hourMs),
        uses: 0,
        usesMax: 2,
        ...change,
      };
      const record = aTransaction(token.tenantId, { id: token.issuedBy });
      await store.recordClearingToken(token, record, noStep, undefined);
      return token;
    };
    const proof = (): Step => ({ evidence: aStep(randomUUID()).evidence });
    const use = (token: ClearingToken, now = at(1)) =>
      store.useClearingToken(token, token.hash, now, proof());
    const entries = () => countRows(harness, "evidence");

    it("records a token with the call that issued it, or neither", async () => {
      const token = await issue();
      expect(await store.findClearingToken(token, token.hash, at(1))).toEqual(token);
      expect((await store.findTransaction(tenantId, token.issuedBy))?.id).toBe(token.issuedBy);
      await expect(issue({ hash: token.hash })).rejects.toThrow();
      await expect(issue({ issuedBy: token.issuedBy })).rejects.toThrow();
      expect(await countRows(harness, "clearing_tokens")).toBe(1);
    });

    it("counts uses up to the limit, each with its evidence", async () => {
      const token = await issue();
      expect(await use(token)).toBe(true);
      expect(await store.findClearingToken(token, token.hash, at(1))).toEqual({ ...token, uses: 1 });
      expect(await use(token)).toBe(true);
      expect(await use(token)).toBe(false);
      expect(await store.findClearingToken(token, token.hash, at(1))).toBeUndefined();
      expect(await entries()).toBe(2);
    });

    it("lets no more uses through at once than are left", async () => {
      const token = await issue({ usesMax: 3 });
      const other = await harness.open();
      const uses = [store, other].flatMap((process) =>
        Array.from({ length: 6 }, () => process.useClearingToken(token, token.hash, at(1), proof())),
      );
      const answers = await Promise.all(uses);
      await other.close();
      expect(answers.filter(Boolean)).toHaveLength(3);
      expect(await entries()).toBe(3);
    });

    it("finds the operation of a call within its tenant and environment", async () => {
      const token = await issue({ issuedBy: "call" });
      await store.useClearingToken(token, token.hash, at(1), aStep("one"));
      const of = { tenantId, environment: "test" } as const;
      expect(await store.findOperationOf(of, "one-call")).toBe("one");
      expect(await store.findOperationOf(of, "two-call")).toBeUndefined();
      expect(await store.findOperationOf({ ...of, environment: "live" }, "one-call")).toBeUndefined();
      expect(await store.findOperationOf({ ...of, tenantId: randomUUID() }, "one-call")).toBeUndefined();
    });

    it("ends a token with its time", async () => {
      const token = await issue();
      expect(await store.findClearingToken(token, token.hash, at(hourMs))).toBeUndefined();
      expect(await use(token, at(hourMs))).toBe(false);
      expect(await use(token, at(hourMs - 1))).toBe(true);
    });

    it("hides a token from other tenants and environments", async () => {
      const token = await issue();
      const other = await newTenantIn(store);
      for (const of of [
        { tenantId: other, environment: "test" },
        { tenantId, environment: "live" },
      ] as const) {
        expect(await store.findClearingToken(of, token.hash, at(1))).toBeUndefined();
        expect(await store.useClearingToken(of, token.hash, at(1), proof())).toBe(false);
      }
    });

    it("purges what expired before a time, and nothing else", async () => {
      await issue({ expiresAt: at(10) });
      const kept = await issue({ expiresAt: at(20) });
      expect(await store.purgeClearingTokens(at(20))).toBe(1);
      expect(await store.purgeClearingTokens(at(20))).toBe(0);
      expect(await store.findClearingToken(kept, kept.hash, at(1))).toEqual(kept);
    });

    it("erases the tokens of one tenant from before a time", async () => {
      const other = await issue({ tenantId: await newTenantIn(store) });
      await issue();
      const later = await issue({ createdAt: at(5) });
      expect(await store.eraseClearingTokens(tenantId, at(5))).toBe(1);
      expect(await store.eraseClearingTokens(tenantId, at(5))).toBe(0);
      expect(await store.findClearingToken(later, later.hash, at(6))).toEqual(later);
      expect(await store.findClearingToken(other, other.hash, at(6))).toEqual(other);
    });

    it("erases the credentials of one tenant from before a time, of both environments", async () => {
      const other = await newTenantIn(store);
      const credentials = { user: "one", passwordHash: "a", changedAt: at(1) };
      const [test, live] = (["test", "live"] as const).map((environment) => ({ tenantId, environment }));
      const foreign = { tenantId: other, environment: "test" } as const;
      for (const of of [test!, live!, foreign]) {
        await store.setClearingCredentials({ ...of, ...credentials }, proof());
      }
      await store.setClearingCredentials({ ...live!, ...credentials, changedAt: at(5) }, proof());
      expect(await store.eraseClearingCredentials(tenantId, at(5))).toBe(1);
      expect(await store.eraseClearingCredentials(tenantId, at(5))).toBe(0);
      expect(await store.findClearingCredentials(test!)).toBeUndefined();
      expect(await store.findClearingCredentials(live!)).toBeDefined();
      expect(await store.findClearingCredentials(foreign)).toBeDefined();
    });

    it("keeps one pair of credentials for each tenant and environment", async () => {
      const of = { tenantId, environment: "live" } as const;
      const first: ClearingCredentials = { ...of, user: "one", passwordHash: "a", changedAt: at(1) };
      const second: ClearingCredentials = { ...of, user: "two", passwordHash: "b", changedAt: at(2) };
      expect(await store.findClearingCredentials(of)).toBeUndefined();
      await store.setClearingCredentials(first, proof());
      expect(await store.findClearingCredentials(of)).toEqual(first);
      await store.setClearingCredentials(second, proof());
      expect(await store.findClearingCredentials(of)).toEqual(second);
      expect(await store.findClearingCredentials({ tenantId, environment: "test" })).toBeUndefined();
      expect(await store.removeClearingCredentials(of, proof())).toBe(true);
      expect(await store.removeClearingCredentials(of, proof())).toBe(false);
      expect(await store.findClearingCredentials(of)).toBeUndefined();
      expect(await entries()).toBe(3);
    });
  });
};
