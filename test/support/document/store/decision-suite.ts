import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import type { ListedDocument } from "#judging/document/store/listed-document";
import type { Reviewer } from "#judging/document/store/review";
import type { Finish, NewValidation, Resubmission } from "#judging/document/store/validation";
import type { SealedTransaction, Step } from "#record/transactions/record";
import {
  anOperationStep,
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
import { aLease } from "../a-lease.ts";

const aStep = (kind: string): Step => ({
  operation: anOperationStep(randomUUID()),
  evidence: [{ id: randomUUID(), kind, at: at(2), body: { kind } }],
});
const chain = "ab".repeat(32);

/** The guarantees of every store for validations that are resubmitted, wait too long, or wait for review. */
export const describeDecisions = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`decisions: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;

    const newTenant = (): Promise<string> => newTenantIn(store);
    const count = (table: string): Promise<number> => countRows(harness, table);
    const start = async (change: Partial<NewValidation> = {}): Promise<string> => {
      const id = randomUUID();
      const validation = {
        id,
        tenantId,
        environment: "test",
        version: 2,
        createdAt: at(0),
        blobIds: [],
      } as const;
      const given = { ...validation, sealedInput: someBytes(), ...change };
      await store.createValidation(given, [], aTransaction(tenantId), noStep);
      return id;
    };
    const endOf = (id: string): Finish<SealedTransaction> => ({
      tenantId,
      id,
      revision: 0,
      worker: "w",
      status: "DONE",
      at: at(20),
      sealedRecord: someBytes(),
    });
    const finish = async (id: string, change: Partial<Finish<SealedTransaction>>) => {
      await store.leaseValidations(aLease("w", at(10), { leaseMs: 1000, limit: 100 }));
      const { revision } = await find(id);
      return await store.finishValidation(
        { ...endOf(id), revision, transaction: aTransaction(tenantId), ...change },
        aStep("end"),
      );
    };
    const decided = async (
      decision: NonNullable<Finish["decision"]>,
      change: Partial<NewValidation> = {},
      end: Partial<Finish<SealedTransaction>> = {},
    ) => {
      const id = await start(change);
      expect(await finish(id, { decision, ...end })).toBe("finished");
      return id;
    };
    const again = (id: string, revision: number, change: Partial<Resubmission> = {}, by = store) => {
      const sent = { version: 2, sealedInput: someBytes(), at: at(30), blobIds: [] } as const;
      const more = { tenantId, id, revision, ...sent, ...change };
      return by.resubmitValidation(more, [], aTransaction(tenantId), aStep("again"));
    };
    const find = async (id: string) => (await store.findValidation(tenantId, id))!;

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
    });
    afterEach(() => closeFresh({ harness, store }));

    describe("resubmissions", () => {
      it("queue the same validation again, as its next attempt", async () => {
        const id = await decided("Resubmission");
        expect(await find(id)).toMatchObject({
          attempt: 1,
          revision: 1,
          decision: "Resubmission",
          waitsSince: at(20),
        });
        const sealedInput = someBytes();
        const blob = { id: randomUUID(), tenantId, kind: "document-front", bytes: 3, createdAt: at(30) };
        const more = {
          tenantId,
          id,
          version: 1,
          sealedInput,
          revision: 1,
          at: at(30),
          blobIds: [blob.id],
        } as const;
        expect(await store.resubmitValidation(more, [blob], aTransaction(tenantId), aStep("again"))).toBe(
          true,
        );
        const found = await find(id);
        expect(found).toMatchObject({ status: "PENDING", version: 1, attempt: 2, attempts: 0, sealedInput });
        expect(found).toMatchObject({ waitsSince: at(30), createdAt: at(0) });
        expect(found).not.toHaveProperty("decision");
        expect(found).not.toHaveProperty("sealedRecord");
        expect(await store.knownBlobIds(tenantId, [blob.id])).toStrictEqual([blob.id]);
        expect(await finish(id, { decision: "Approved" })).toBe("finished");
        expect(await find(id)).toMatchObject({ attempt: 2, decision: "Approved" });
        expect(await find(id)).not.toHaveProperty("waitsSince");
      });

      it("are not decided by a job leased for the earlier images, even of the same worker", async () => {
        const id = await decided("Resubmission");
        expect(await again(id, 1)).toBe(true);
        await store.leaseValidations(aLease("w", at(40), { leaseMs: 1000, limit: 1 }));
        const stale = { tenantId, id, revision: 0, worker: "w" } as const;
        expect(await store.keepSession(stale, someBytes())).toBe(false);
        expect(await store.renewLease(stale, at(9000))).toBe(false);
        expect(await store.retryValidation(stale, at(9000), false)).toBe(false);
        expect(await store.finishValidation({ ...endOf(id), decision: "Approved" }, noStep)).toBe("lost");
        expect(await find(id)).toMatchObject({ status: "PENDING", attempts: 1 });
        expect(await find(id)).not.toHaveProperty("sealedSession");
        expect(await finish(id, { decision: "Declined" })).toBe("finished");
      });

      it("do not inherit the deaths of processes that ran the earlier images", async () => {
        const id = await start();
        await store.leaseValidations(aLease("dead", at(10), { leaseMs: 1000 }));
        await store.leaseValidations(aLease("w", at(2000), { isAlone: true }));
        expect(await find(id)).toMatchObject({ deaths: 0 });
        await store.finishValidation({ ...endOf(id), decision: "Resubmission" }, noStep);
        expect(await again(id, 1)).toBe(true);
        expect(await find(id)).not.toHaveProperty("deaths");
      });

      it("are accepted once: of many at the same time one changes the row, the others write nothing", async () => {
        const id = await decided("Resubmission");
        const second = await harness.open();
        const before = await count("transactions");
        const stores = [store, second];
        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, n) => again(id, 1, {}, stores[n % 2])),
        );
        await second.close();
        expect(answers.filter(Boolean)).toHaveLength(1);
        expect((await find(id)).attempt).toBe(2);
        expect(await count("transactions")).toBe(before + 1);
      });

      it("are refused after another decision, and in another tenant", async () => {
        for (const decision of ["Approved", "Declined", "Review"] as const) {
          expect(await again(await decided(decision), 1)).toBe(false);
        }
        expect(await again(await start(), 0)).toBe(false);
        const id = await decided("Resubmission");
        expect(await again(id, 0)).toBe(false);
        expect(await again(id, 1, { tenantId: await newTenant() })).toBe(false);
        expect(await again(id, 1)).toBe(true);
      });

      it("do not count an attempt whose analysis failed", async () => {
        const id = await start();
        await finish(id, { status: "FAILED", decision: "Resubmission" });
        expect(await again(id, 1)).toBe(true);
        expect((await find(id)).attempt).toBe(1);
      });
    });

    describe("a chain", () => {
      const continues = { chain, waitingSince: at(0) };

      it("counts a start under the same reference as the next attempt while the last one waits, and ends that wait", async () => {
        const first = await decided("Resubmission", { continues });
        const second = await decided("Resubmission", { continues });
        expect(await find(second)).toMatchObject({ attempt: 2 });
        expect(await find(first)).not.toHaveProperty("waitsSince");
        expect(await again(first, 2)).toBe(false);
        const third = await start({ continues });
        expect(await find(third)).toMatchObject({ attempt: 3 });
      });

      it("restarts after a decision, for another reference, and after too long a wait", async () => {
        await decided("Resubmission", { continues });
        expect(
          await find(await start({ continues: { chain: "cd".repeat(32), waitingSince: at(0) } })),
        ).toMatchObject({
          attempt: 1,
        });
        expect(await find(await start())).toMatchObject({ attempt: 1 });
        expect(await find(await start({ continues: { chain, waitingSince: at(21) } }))).toMatchObject({
          attempt: 1,
        });
        await decided("Approved", { continues });
        expect(await find(await start({ continues }))).toMatchObject({ attempt: 1 });
      });
    });

    describe("a waiting validation", () => {
      it("is listed once it has waited long enough, unless a worker holds it", async () => {
        const pending = await start();
        const asked = await decided("Resubmission", { createdAt: at(1) });
        await decided("Approved");
        await decided("Review");
        const listed = async (before: Date, now = at(99_999)) =>
          (await store.listWaiting(before, now)).map(({ id }) => id);
        expect(await listed(at(21))).toStrictEqual([pending, asked]);
        expect(await listed(at(20))).toStrictEqual([pending]);
        expect(await listed(at(0))).toStrictEqual([]);
        expect(await listed(at(21), at(500))).toStrictEqual([asked]);
        const [first, second] = [await find(pending), await find(asked)];
        expect(await store.listWaiting(at(21), at(99_999), first)).toMatchObject([{ id: asked }]);
        expect(await store.listWaiting(at(21), at(99_999), second)).toStrictEqual([]);
      });

      it("ends once, and only at the revision that was read", async () => {
        const id = await decided("Resubmission");
        const ending = { tenantId, id, revision: 1, decision: "Abandoned", at: at(9000) } as const;
        const sealedRecord = someBytes();
        expect(await store.endValidation({ ...ending, revision: 0 }, aStep("x"))).toBe(false);
        const end = { ...ending, sealedRecord, transaction: aTransaction(tenantId) };
        expect(await store.endValidation(end, aStep("ended"))).toBe(true);
        expect(await store.endValidation(end, aStep("ended"))).toBe(false);
        expect(await find(id)).toMatchObject({
          status: "DONE",
          decision: "Abandoned",
          sealedRecord,
          decidedAt: at(9000),
        });
        expect(await again(id, 2)).toBe(false);
        expect(await store.listWaiting(at(99_999), at(99_999))).toStrictEqual([]);
      });

      it("is not ended while a worker has its lease, or after better images arrived", async () => {
        const held = await start();
        await store.leaseValidations(aLease("w", at(10), { leaseMs: 1000, limit: 9 }));
        const ending = { tenantId, revision: 0, decision: "Expired", at: at(500) } as const;
        expect(await store.endValidation({ ...ending, id: held }, noStep)).toBe(false);
        expect(await store.endValidation({ ...ending, id: held, at: at(1010) }, noStep)).toBe(true);
        expect(await finish(held, { decision: "Approved" })).toBe("lost");
        const asked = await decided("Resubmission");
        expect(await again(asked, 1)).toBe(true);
        expect(await store.endValidation({ ...ending, id: asked, revision: 1 }, noStep)).toBe(false);
      });
    });

    describe("the claim of a number", () => {
      const number = "ef".repeat(32);
      const claimOf = (customerHash: string, seen: readonly string[]) => ({
        numberHash: number,
        customerHash,
        seen,
      });

      it("is written by one of two simultaneous customers; the other gets outdated, and writes nothing", async () => {
        const second = await harness.open();
        const ids = [await start(), await start()];
        await store.leaseValidations(aLease("w", at(10), { leaseMs: 1000, limit: 9 }));
        const answers = await Promise.all(
          ids.map((id, n) => {
            const claim = claimOf(`customer ${n}`, []);
            return [store, second][n]!.finishValidation(
              { ...endOf(id), decision: "Approved", claim },
              aStep("end"),
            );
          }),
        );
        await second.close();
        expect(answers.toSorted()).toStrictEqual(["finished", "outdated"]);
        const loser = ids[answers.indexOf("outdated")]!;
        expect(await find(loser)).toMatchObject({ status: "PENDING" });
        expect(await store.findClaims(tenantId, number)).toStrictEqual([
          `customer ${answers.indexOf("finished")}`,
        ]);
      });

      it("is written beside other claims that were read, and renewed by its own customer", async () => {
        expect(await finish(await start(), { decision: "Approved", claim: claimOf("a", []) })).toBe(
          "finished",
        );
        expect(await finish(await start(), { decision: "Approved", claim: claimOf("a", []) })).toBe(
          "finished",
        );
        expect(await finish(await start(), { decision: "Approved", claim: claimOf("b", ["a"]) })).toBe(
          "finished",
        );
        expect(await finish(await start(), { decision: "Approved", claim: claimOf("c", ["a"]) })).toBe(
          "outdated",
        );
        expect(await store.findClaims(tenantId, number)).toStrictEqual(["a", "b"]);
      });

      it("is not blocked by a claim that was read and deleted since", async () => {
        await finish(await start(), { decision: "Approved", claim: claimOf("a", []) });
        expect(await store.purgeClaims(at(21))).toBe(1);
        const claim = claimOf("b", ["a"]);
        expect(await finish(await start(), { decision: "Approved", claim })).toBe("finished");
        expect(await store.findClaims(tenantId, number)).toStrictEqual(["b"]);
      });

      it("is visible to its own tenant alone, and deleted when it is old and not renewed", async () => {
        const claimAs = async (customer: string, ms: number) => {
          const claim = claimOf(customer, await store.findClaims(tenantId, number));
          await finish(await start(), { decision: "Approved", at: at(ms), claim });
        };
        await claimAs("ana", 10);
        await claimAs("eva", 20);
        await claimAs("ana", 30);
        expect(await store.findClaims(tenantId, number)).toStrictEqual(["ana", "eva"]);
        expect(await store.findClaims(await newTenant(), number)).toStrictEqual([]);
        expect(await store.findClaims(tenantId, "ab".repeat(32))).toStrictEqual([]);
        expect([await store.purgeClaims(at(20)), await store.purgeClaims(at(25))]).toStrictEqual([0, 1]);
        expect(await store.findClaims(tenantId, number)).toStrictEqual(["ana"]);
      });
    });

    describe("a decision that rests on the history", () => {
      const hash = "ab".repeat(32);
      const pair = async (): Promise<readonly string[]> => {
        const ids = [await start(), await start()];
        await store.leaseValidations(aLease("w", at(10), { leaseMs: 1000 }));
        return ids;
      };
      const listing = (number: string): ListedDocument => ({
        tenantId,
        id: randomUUID(),
        environment: "test",
        number,
        sealedNote: someBytes(),
        at: at(7),
      });
      const velocityOf = (eventsMax: number) => ({
        velocityEvents: [hash, "cd".repeat(32)],
        expected: { unlisted: [], velocity: { since: at(0), eventsMax } },
      });

      it("is made by one of two processes at once, if one event more is too many; the other writes nothing", async () => {
        const second = await harness.open();
        const ids = await pair();
        const answers = await Promise.all(
          ids.map((id, n) =>
            [store, second][n]!.finishValidation({ ...endOf(id), ...velocityOf(0) }, aStep("end")),
          ),
        );
        await second.close();
        expect(answers.toSorted()).toStrictEqual(["finished", "outdated"]);
        expect(await find(ids[answers.indexOf("outdated")]!)).toMatchObject({ status: "PENDING" });
        expect(await store.countVelocityEvents(tenantId, hash, at(0))).toBe(1);
        expect(await count("evidence")).toBe(1);
      });

      it.each([
        [0, "outdated"],
        [1, "finished"],
      ] as const)("and on %i earlier events at most is %s after one", async (eventsMax, answer) => {
        const [first, next] = await pair();
        await store.finishValidation({ ...endOf(first!), velocityEvents: [hash] }, noStep);
        expect(await store.finishValidation({ ...endOf(next!), ...velocityOf(eventsMax) }, noStep)).toBe(
          answer,
        );
      });

      it("counts no event from before its period", async () => {
        const [first, next] = await pair();
        await store.finishValidation({ ...endOf(first!), velocityEvents: [hash] }, noStep);
        const expected = { unlisted: [], velocity: { since: at(21), eventsMax: 0 } };
        const end = { ...endOf(next!), velocityEvents: [hash], expected };
        expect(await store.finishValidation(end, noStep)).toBe("finished");
      });

      it("is outdated once its number is listed, and finished beside other listed numbers", async () => {
        const [first, next] = await pair();
        await store.listDocument(listing("12".repeat(32)), aStep("listed"));
        const expected = { unlisted: ["34".repeat(32), "56".repeat(32)] };
        expect(await store.finishValidation({ ...endOf(first!), expected }, noStep)).toBe("finished");
        await store.listDocument(listing("56".repeat(32)), aStep("listed"));
        expect(await store.finishValidation({ ...endOf(next!), expected }, noStep)).toBe("outdated");
        expect(await find(next!)).toMatchObject({ status: "PENDING" });
      });
    });

    describe("listed documents and velocity events", () => {
      const listed = (change: Partial<ListedDocument> = {}): ListedDocument => ({
        tenantId,
        id: randomUUID(),
        environment: "test",
        number: "ab".repeat(32),
        sealedNote: someBytes(),
        at: at(7),
        ...change,
      });

      it("are listed once by their hash, in their tenant alone, until they are removed", async () => {
        const entry = listed();
        expect(await store.isDocumentListed(tenantId, entry.number)).toBe(false);
        expect(await store.listDocument(entry, aStep("listed"))).toBe(true);
        expect(await store.listDocument(listed(), aStep("listed"))).toBe(false);
        expect(await store.isDocumentListed(tenantId, entry.number)).toBe(true);
        const other = await newTenant();
        expect(await store.isDocumentListed(other, entry.number)).toBe(false);
        expect(await store.listListedDocuments(tenantId, "")).toStrictEqual([entry]);
        expect(await store.listListedDocuments(tenantId, entry.id)).toStrictEqual([]);
        expect(await store.unlistDocument(other, entry.id, aStep("unlisted"))).toBe(false);
        expect(await store.unlistDocument(tenantId, entry.id, aStep("unlisted"))).toBe(true);
        expect(await store.isDocumentListed(tenantId, entry.number)).toBe(false);
        expect(await count("evidence")).toBe(2);
      });

      it("are erased of one tenant from before a time", async () => {
        const other = await newTenant();
        await store.listDocument(listed(), aStep("listed"));
        await store.listDocument(listed({ tenantId: other }), aStep("listed"));
        expect(await store.eraseListedDocuments(tenantId, at(7))).toBe(0);
        expect(await store.eraseListedDocuments(tenantId, at(8))).toBe(1);
        expect(await store.listListedDocuments(tenantId, "")).toEqual([]);
        expect(await store.listListedDocuments(other, "")).toHaveLength(1);
      });

      it("are counted with each decided attempt, within a period, until they are purged", async () => {
        const hash = "cd".repeat(32);
        const id = await start();
        expect(await finish(id, { decision: "Resubmission", velocityEvents: [hash] })).toBe("finished");
        expect(await again(id, 1)).toBe(true);
        await finish(id, { decision: "Approved", velocityEvents: [hash], at: at(40) });
        const counted = (since: Date, of = tenantId) => store.countVelocityEvents(of, hash, since);
        expect([await counted(at(0)), await counted(at(21)), await counted(at(41))]).toStrictEqual([2, 1, 0]);
        expect(await counted(at(0), await newTenant())).toBe(0);
        expect([
          await store.purgeVelocityEvents(at(21)),
          await store.purgeVelocityEvents(at(21)),
        ]).toStrictEqual([1, 0]);
        expect(await counted(at(0))).toBe(1);
      });
    });

    describe("reviews", () => {
      const reviewer = (change: Partial<Reviewer> = {}): Reviewer => ({
        tenantId,
        environment: "test",
        keyId: "key a",
        ...change,
      });
      const other = (): Reviewer => reviewer({ keyId: "key b" });
      const claim = (who: Reviewer, id: string, now = at(100), until = at(1100)) =>
        store.claimReview(who, id, { now, until }, aStep("claimed"));
      const end = (decision: "Approved" | "Declined" | "Resubmission" = "Approved", now = at(200)) => ({
        decision,
        at: now,
        sealedRecord: someBytes(),
        transaction: aTransaction(tenantId),
      });

      it("are opened with the decision, listed oldest first by tenant and environment, in pages", async () => {
        const ids = [];
        for (let n = 0; n < 28; n++) ids.push(await start({ createdAt: at(n) }));
        await store.leaseValidations(aLease("w", at(10), { leaseMs: 1000, limit: 200 }));
        for (const [n, id] of ids.entries()) {
          const done = {
            tenantId,
            id,
            revision: 0,
            worker: "w",
            status: "DONE",
            decision: "Review",
          } as const;
          await store.finishValidation({ ...done, at: at(20 + n), sealedRecord: someBytes() }, noStep);
        }
        const list = async (who: Reviewer, after?: string) => {
          const place = after === undefined ? undefined : await store.findReview(who, after);
          const { reviews, isLast } = await store.listReviews(who, place);
          for (const { id, validation } of reviews)
            expect(validation).toMatchObject({ id, decision: "Review" });
          return [reviews.map(({ id }) => id), isLast];
        };
        expect(await list(reviewer())).toStrictEqual([ids.slice(0, 25), false]);
        expect(await list(reviewer(), ids[1])).toStrictEqual([ids.slice(2, 27), false]);
        expect(await list(reviewer(), ids[2])).toStrictEqual([ids.slice(3), true]);
        expect(await list(reviewer(), ids[24])).toStrictEqual([ids.slice(25), true]);
        expect(await list(reviewer({ environment: "live" }))).toStrictEqual([[], true]);
        expect(await list(reviewer({ tenantId: await newTenant() }))).toStrictEqual([[], true]);
      });

      it("are found with their validation, by their own tenant and environment alone", async () => {
        const id = await decided("Review");
        expect(await store.findReview(reviewer(), id)).toMatchObject({
          id,
          openedAt: at(20),
          validation: { id, decision: "Review" },
        });
        expect(await store.findReview(reviewer({ environment: "live" }), id)).toBeUndefined();
        expect(await store.findReview(reviewer({ tenantId: await newTenant() }), id)).toBeUndefined();
        expect(await store.findReview(reviewer(), await decided("Approved"))).toBeUndefined();
      });

      it("are shown in no environment once theirs is not that of their validation", async () => {
        const id = await decided("Review");
        await harness.query(`update reviews set environment = 'live' where validation_id = '${id}'`);
        for (const environment of ["live", "test"] as const) {
          expect(await store.findReview(reviewer({ environment }), id)).toBeUndefined();
          const { reviews } = await store.listReviews(reviewer({ environment }));
          expect(reviews.map((review) => review.id)).not.toContain(id);
        }
      });

      it("are claimed by one reviewer at a time, until the claim ends or is released", async () => {
        const id = await decided("Review");
        const second = await harness.open();
        const times = { now: at(100), until: at(1100) };
        const answers = await Promise.all([
          store.claimReview(reviewer(), id, times, aStep("claimed")),
          second.claimReview(other(), id, times, aStep("claimed")),
        ]);
        await second.close();
        expect(answers.filter(Boolean)).toHaveLength(1);
        const [winner, loser] = answers[0] ? [reviewer(), other()] : [other(), reviewer()];
        expect(await claim(winner, id, at(200), at(1200))).toBe(true);
        expect(await claim(loser, id, at(1199))).toBe(false);
        expect(await store.releaseReview(loser, id, at(300), aStep("released"))).toBe(false);
        expect(await claim(loser, id, at(1200), at(2200))).toBe(true);
        expect(await store.releaseReview(winner, id, at(1300), aStep("released"))).toBe(false);
        expect(await store.releaseReview(loser, id, at(1300), aStep("released"))).toBe(true);
        expect((await store.findReview(reviewer(), id))?.claim).toBeUndefined();
        expect(await claim(reviewer({ environment: "live" }), id)).toBe(false);
      });

      it("are decided once, by the reviewer with the claim, with everything in one commit", async () => {
        const id = await decided("Review");
        const before = await Promise.all(["transactions", "evidence", "events"].map(count));
        expect(await store.endReview(reviewer(), id, end(), aStep("decided"))).toBe("lost");
        await claim(reviewer(), id);
        expect(await store.endReview(other(), id, end(), aStep("decided"))).toBe("lost");
        expect(await store.endReview(reviewer(), id, end("Approved", at(1100)), aStep("decided"))).toBe(
          "lost",
        );
        const good = { ...end(), claim: { numberHash: "n", customerHash: "c", seen: [] } };
        expect(await store.endReview(reviewer(), id, good, aStep("decided"))).toBe("finished");
        expect(await store.endReview(reviewer(), id, good, aStep("decided"))).toBe("lost");
        expect(await find(id)).toMatchObject({ decision: "Approved", decidedAt: at(200), revision: 2 });
        expect(await store.findClaims(tenantId, "n")).toStrictEqual(["c"]);
        expect(await store.findReview(reviewer(), id)).toBeUndefined();
        const after = await Promise.all(["transactions", "evidence", "events"].map(count));
        expect(after.map((n, i) => n - before[i]!)).toStrictEqual([1, 2, 4]);
      });

      it("approve no number that another customer claimed since it was read, and write nothing", async () => {
        const id = await decided("Review");
        await claim(reviewer(), id);
        await decided("Approved", {}, { claim: { numberHash: "n", customerHash: "other", seen: [] } });
        const before = await count("transactions");
        const late = { ...end(), claim: { numberHash: "n", customerHash: "c", seen: [] } };
        expect(await store.endReview(reviewer(), id, late, aStep("decided"))).toBe("outdated");
        expect(await count("transactions")).toBe(before);
        expect(await find(id)).toMatchObject({ decision: "Review", revision: 1 });
        const reported = { ...late, claim: { ...late.claim, seen: ["other"] } };
        expect(await store.endReview(reviewer(), id, reported, aStep("decided"))).toBe("finished");
        expect(await store.findClaims(tenantId, "n")).toStrictEqual(["c", "other"]);
      });

      it("may ask for better images, whose review is a new one", async () => {
        const id = await decided("Review");
        await claim(reviewer(), id);
        await store.endReview(reviewer(), id, end("Resubmission"), noStep);
        expect(await find(id)).toMatchObject({ decision: "Resubmission", waitsSince: at(200) });
        expect(await again(id, 2)).toBe(true);
        expect(await finish(id, { decision: "Review" })).toBe("finished");
        expect((await store.findReview(reviewer(), id))?.claim).toBeUndefined();
      });

      it("keep the first reviewer's proposal for a second reviewer, and release the claim", async () => {
        const id = await decided("Review");
        const sealed = someBytes();
        const propose = (who: Reviewer, now = at(200)) =>
          store.proposeReview(who, id, now, sealed, aStep("said"));
        expect(await propose(reviewer())).toBe(false);
        await claim(reviewer(), id);
        expect(await propose(reviewer())).toBe(true);
        const found = await store.findReview(reviewer(), id);
        expect(found).toMatchObject({
          proposal: { keyId: "key a", sealed },
          validation: { decision: "Review" },
        });
        expect(found?.claim).toBeUndefined();
        expect(await claim(other(), id)).toBe(true);
        expect(await store.endReview(other(), id, end(), noStep)).toBe("finished");
      });
    });
  });
};
