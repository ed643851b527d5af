import { randomBytes, randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import { defaultUserPolicy, type UserPolicy } from "#features/users/policy";
import type { Attempt, NewTemplate, NewUser, SealedTemplate } from "#features/users/store/user";
import type { Step } from "#record/transactions/record";
import { answersAround, figuresOf, type Threshold } from "../../contract/statistics/thresholds.ts";
import {
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

const evidence = (kind: string) => ({ id: randomUUID(), kind, at: at(2), body: { kind } });
const aStep = (kind: string): Step => ({ evidence: [evidence(kind)] });
/** The guarantees of every store for registered users, for each database. */
export const describeUsers = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`users: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;
    let dataKeyId: string;

    const newTenant = (): Promise<string> => newTenantIn(store);
    const newDataKey = async (tenant: string): Promise<string> => {
      const id = randomUUID();
      const wrapped = { masterId: "m", wrapped: someBytes(), createdAt: at(0) };
      await store.insertKey({ id, tenantId: tenant, purpose: "templates", ...wrapped });
      return id;
    };
    const sealed = (): SealedTemplate => ({
      keyId: randomUUID(),
      dataKeyId,
      recogniser: "r1",
      wrappedKey: someBytes(),
      sealedTransform: someBytes(),
      sealedTemplate: someBytes(),
    });
    const aUser = (change: Partial<NewUser> = {}): NewUser => ({
      ...sealed(),
      tenantId,
      environment: "test",
      pseudonym: randomBytes(32).toString("hex"),
      id: randomUUID(),
      enrolledAt: at(1),
      ...change,
    });
    const enrol = async (change: Partial<NewUser> = {}): Promise<NewUser> => {
      const user = aUser(change);
      expect(await store.enrolUser(user, aTransaction(tenantId), [], aStep("enrolled"))).toBe(true);
      return user;
    };
    const attemptOf = (user: NewUser, change: Partial<Attempt> = {}): Attempt => ({
      tenantId,
      pseudonym: user.pseudonym,
      revision: 1,
      at: at(100),
      finding: "against",
      throttle: { pauseFrom: 2, pauseMs: 1000, disableAt: 4 },
      disabling: evidence("disabled"),
      ...change,
    });
    const attempt = (user: NewUser, change: Partial<Attempt> = {}) =>
      store.recordAttempt(attemptOf(user, change), aTransaction(tenantId), [], noStep);
    const renewal = (user: NewUser, change: Partial<NewTemplate> = {}): NewTemplate => {
      const { pseudonym } = user;
      return { ...sealed(), tenantId, pseudonym, revision: 1, at: at(50), ...change };
    };
    const count = (table: string): Promise<number> => countRows(harness, table);

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
      dataKeyId = await newDataKey(tenantId);
    });
    afterEach(() => closeFresh({ harness, store }));

    it("keeps exactly what was enrolled, for its own tenant alone", async () => {
      const user = await enrol();
      expect(await store.findUser(tenantId, user.pseudonym)).toStrictEqual({
        ...user,
        revision: 1,
        renewedAt: at(1),
        failures: 0,
      });
      expect(await store.findUser(await newTenant(), user.pseudonym)).toBeUndefined();
      expect([await count("transactions"), await count("evidence")]).toStrictEqual([1, 1]);
    });

    it("enrols one of many first calls for one user, and writes nothing for the others", async () => {
      const second = await harness.open();
      const pseudonym = "ab".repeat(32);
      const users = Array.from({ length: 12 }, () => aUser({ pseudonym }));
      const won = await Promise.all(
        users.map((user, n) =>
          (n % 2 === 0 ? store : second).enrolUser(user, aTransaction(tenantId), [], aStep("e")),
        ),
      );
      await second.close();
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await store.findUser(tenantId, pseudonym)).toMatchObject({
        id: users[won.indexOf(true)]!.id,
      });
      const counts = [await count("users"), await count("transactions"), await count("evidence")];
      expect(counts).toStrictEqual([1, 1, 1]);
    });

    it("enrols no user with a used token or under a destroyed data key", async () => {
      const uses = [{ hash: "ab".repeat(32), expiresAt: at(100) }];
      await store.recordTransaction(aTransaction(tenantId), uses, noStep);
      const refused = store.enrolUser(aUser(), aTransaction(tenantId), uses, noStep);
      await expect(refused).rejects.toMatchObject({ code: "token_replayed" });
      await store.destroyKey(dataKeyId, at(5), noStep);
      const late = store.enrolUser(aUser(), aTransaction(tenantId), [], noStep);
      await expect(late).rejects.toMatchObject({ code: "store_unavailable" });
      expect([await count("users"), await count("transactions")]).toStrictEqual([0, 1]);
    });

    it("pauses after a run of failures, disables after a longer one, and records it in the evidence", async () => {
      const user = await enrol();
      expect(await attempt(user)).toStrictEqual({ kind: "recorded" });
      expect(await attempt(user)).toStrictEqual({ kind: "recorded" });
      const held = { kind: "held", pausedUntil: at(1100) };
      expect(await attempt(user, { at: at(1099), finding: "match" })).toStrictEqual(held);
      expect(await attempt(user, { at: at(1100) })).toStrictEqual({ kind: "recorded" });
      expect(await count("evidence")).toBe(1);
      expect(await attempt(user, { at: at(2100) })).toStrictEqual({ kind: "recorded" });
      const disabled = { kind: "held", pausedUntil: at(3100), disabledAt: at(2100) };
      expect(await attempt(user, { at: at(999_999), finding: "match" })).toStrictEqual(disabled);
      expect(await harness.query("select kind from evidence order by seq")).toStrictEqual([
        { kind: "enrolled" },
        { kind: "disabled" },
      ]);
      expect(await count("transactions")).toBe(5);
      expect(await store.enableUser(tenantId, randomUUID(), aStep("x"))).toBe(false);
      expect(await store.enableUser(tenantId, user.id, aStep("enabled"))).toBe(true);
      expect(await attempt(user)).toStrictEqual({ kind: "recorded" });
      expect(await store.findUser(tenantId, user.pseudonym)).toMatchObject({ failures: 1 });
    });

    it("pauses and disables at the figures of the standard policy: just below, at and just above", async () => {
      const { throttle } = defaultUserPolicy;
      const failTimes = async (times: number): Promise<readonly [user: NewUser, last: number]> => {
        const user = await enrol();
        let last = 0;
        for (let n = 0; n < times; n++) {
          last += throttle.pauseMs;
          expect(await attempt(user, { throttle, at: at(last) })).toStrictEqual({ kind: "recorded" });
        }
        return [user, last];
      };
      const thresholds: Readonly<Record<string, Threshold<Pick<UserPolicy, "throttle">>>> = {
        "throttle.pauseFrom": {
          judge: async (failures) => {
            const [user] = await failTimes(failures);
            return (await store.findUser(tenantId, user.pseudonym))?.pausedUntil !== undefined;
          },
          answers: [false, true, true],
          step: 1,
        },
        "throttle.pauseMs": {
          judge: async (ms) => {
            const [user, last] = await failTimes(throttle.pauseFrom);
            return (await attempt(user, { throttle, at: at(last + ms) })).kind;
          },
          answers: ["held", "recorded", "recorded"],
          step: 1,
        },
        "throttle.disableAt": {
          judge: async (failures) => {
            const [user] = await failTimes(Math.min(failures, throttle.disableAt));
            const found = await store.findUser(tenantId, user.pseudonym);
            return [found?.failures, found?.disabledAt !== undefined];
          },
          answers: [
            [throttle.disableAt - 1, false],
            [throttle.disableAt, true],
            [throttle.disableAt, true],
          ],
          step: 1,
        },
      };
      expect(Object.keys(thresholds)).toEqual(figuresOf({ throttle }).map(([path]) => path));
      for (const [path, value] of figuresOf({ throttle })) {
        const threshold = thresholds[path]!;
        expect([path, await answersAround(threshold, value, { throttle })]).toEqual([
          path,
          threshold.answers,
        ]);
      }
    });

    it("ends the run with a match, and keeps it after an attempt without a finding", async () => {
      const user = await enrol();
      await attempt(user);
      await attempt(user, { finding: "nothing" });
      expect(await store.findUser(tenantId, user.pseudonym)).toMatchObject({ failures: 1 });
      await attempt(user, { finding: "match" });
      expect(await store.findUser(tenantId, user.pseudonym)).toMatchObject({ failures: 0 });
    });

    it("counts no more failures than the pause allows, under many attempts at once", async () => {
      const user = await enrol();
      const second = await harness.open();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (n % 2 === 0 ? store : second).recordAttempt(attemptOf(user), aTransaction(tenantId), [], noStep),
        ),
      );
      await second.close();
      expect(answers.filter(({ kind }) => kind === "recorded")).toHaveLength(2);
      expect(answers.filter(({ kind }) => kind === "held")).toHaveLength(18);
      expect(await store.findUser(tenantId, user.pseudonym)).toMatchObject({ failures: 2 });
    });

    it("replaces a template once per revision, and counts no attempt against an older one", async () => {
      const user = await enrol();
      const changes = await Promise.all(
        [renewal(user), renewal(user)].map(async (change) => ({
          change,
          answer: await store.replaceTemplate(change, aTransaction(tenantId), aStep("replaced")),
        })),
      );
      expect(changes.map(({ answer }) => answer.kind).sort()).toStrictEqual(["changed", "recorded"]);
      const { change } = changes.find(({ answer }) => answer.kind === "recorded")!;
      const { revision: _, at: renewedAt, ...template } = change;
      expect(await store.findUser(tenantId, user.pseudonym)).toStrictEqual({
        ...user,
        ...template,
        revision: 2,
        renewedAt,
        failures: 0,
      });
      expect(await attempt(user)).toStrictEqual({ kind: "changed" });
      expect([await count("transactions"), await count("evidence")]).toStrictEqual([2, 2]);
    });

    it("adds the reference of a login with its evidence, up to the limit, also of many logins at once", async () => {
      const user = await enrol();
      const second = await harness.open();
      const joiningOf = (kind: string) => ({
        joining: { reference: sealed(), furtherMax: 2, evidence: evidence(kind) },
        finding: "match" as const,
      });
      const changes = Array.from({ length: 6 }, () => joiningOf("reference added"));
      await Promise.all(
        changes.map((change, n) =>
          (n % 2 === 0 ? store : second).recordAttempt(
            attemptOf(user, change),
            aTransaction(tenantId),
            [],
            noStep,
          ),
        ),
      );
      await second.close();
      const found = await store.listReferences(user);
      expect(found).toHaveLength(2);
      const sent = changes.map(({ joining }) => ({ ...joining.reference, addedAt: at(100) }));
      for (const one of found) expect(sent).toContainEqual(one);
      expect(await count("evidence")).toBe(3);
      expect(await store.listReferences({ tenantId: await newTenant(), id: user.id })).toEqual([]);
    });

    it("keeps no reference of a replaced template, of a deleted user, or under a destroyed data key", async () => {
      const users = [await enrol(), await enrol(), await enrol()] as const;
      const joining = () => ({ reference: sealed(), furtherMax: 2, evidence: evidence("added") });
      for (const user of users) await attempt(user, { finding: "match", joining: joining() });
      expect(await count("user_references")).toBe(3);
      await store.replaceTemplate(renewal(users[0]), aTransaction(tenantId), noStep);
      expect(await count("user_references")).toBe(2);
      const names = await store.listUserNames(tenantId, [users[1].pseudonym]);
      await store.deleteUsers(tenantId, names, aTransaction(tenantId), noStep);
      expect(await count("user_references")).toBe(1);
      await store.destroyKey(dataKeyId, at(5), noStep);
      const late = attempt(users[2], { finding: "match", joining: joining() });
      await expect(late).rejects.toMatchObject({ code: "store_unavailable" });
      await store.purgeUsers();
      expect(await count("user_references")).toBe(0);
    });

    it("deletes all named users or none", async () => {
      const [one, two] = [await enrol(), await enrol()];
      const names = await store.listUserNames(tenantId, [one.pseudonym, two.pseudonym, "unknown"]);
      expect(names.map(({ id }) => id).sort()).toStrictEqual([one.id, two.id].sort());
      expect(await store.listUserNames(await newTenant(), [one.pseudonym])).toStrictEqual([]);
      expect(await store.listUserNames(tenantId, [])).toStrictEqual([]);
      await store.replaceTemplate(renewal(two), aTransaction(tenantId), noStep);
      expect(await store.deleteUsers(tenantId, names, aTransaction(tenantId), aStep("deleted"))).toBe(false);
      expect([await count("users"), await count("evidence")]).toStrictEqual([2, 2]);
      const again = await store.listUserNames(tenantId, [one.pseudonym, two.pseudonym]);
      expect(await store.deleteUsers(tenantId, again, aTransaction(tenantId), aStep("deleted"))).toBe(true);
      expect([await count("users"), await count("evidence")]).toStrictEqual([0, 3]);
      expect(await attempt(one)).toStrictEqual({ kind: "changed" });
    });

    it("purges the users of a tenant whose data key was destroyed, and no others", async () => {
      await enrol();
      await enrol();
      const other = await newTenant();
      const spared = aUser({ tenantId: other, dataKeyId: await newDataKey(other) });
      await store.enrolUser(spared, aTransaction(other), [], noStep);
      expect(await store.purgeUsers()).toBe(0);
      await store.destroyKey(dataKeyId, at(5), noStep);
      dataKeyId = await newDataKey(tenantId);
      const later = await enrol();
      expect(await store.purgeUsers()).toBe(2);
      expect(await store.purgeUsers()).toBe(0);
      expect(await store.findUser(other, spared.pseudonym)).toMatchObject({ id: spared.id });
      expect(await store.findUser(tenantId, later.pseudonym)).toMatchObject({ id: later.id });
    });
  });
};
