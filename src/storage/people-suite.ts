import { randomBytes, randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Attempt, NewPerson, NewTemplate, SealedTemplate } from "./person.ts";
import type { Step, Store } from "./store.ts";
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
} from "./testing/suite.ts";

const evidence = (kind: string) => ({ id: randomUUID(), kind, at: at(2), body: { kind } });
const aStep = (kind: string): Step => ({ events: [], evidence: [evidence(kind)] });
/** What every store promises of registered users, whichever database keeps them. */
export const describePeople = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`people: ${name}`, () => {
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
    const aPerson = (change: Partial<NewPerson> = {}): NewPerson => ({
      ...sealed(),
      tenantId,
      world: "test",
      pseudonym: randomBytes(32).toString("hex"),
      id: randomUUID(),
      enrolledAt: at(1),
      ...change,
    });
    const enrol = async (change: Partial<NewPerson> = {}): Promise<NewPerson> => {
      const person = aPerson(change);
      expect(await store.enrolPerson(person, aTransaction(tenantId), [], aStep("enrolled"))).toBe(true);
      return person;
    };
    const attemptOf = (person: NewPerson, change: Partial<Attempt> = {}): Attempt => ({
      tenantId,
      pseudonym: person.pseudonym,
      revision: 1,
      at: at(100),
      finding: "against",
      throttle: { pauseFrom: 2, pauseMs: 1000, disableAt: 4 },
      disabling: evidence("disabled"),
      ...change,
    });
    const attempt = (person: NewPerson, change: Partial<Attempt> = {}) =>
      store.recordAttempt(attemptOf(person, change), aTransaction(tenantId), []);
    const renewal = (person: NewPerson, change: Partial<NewTemplate> = {}): NewTemplate => {
      const { pseudonym } = person;
      return { ...sealed(), tenantId, pseudonym, revision: 1, at: at(50), ...change };
    };
    const count = (table: string): Promise<number> => countRows(harness, table);

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
      dataKeyId = await newDataKey(tenantId);
    });
    afterEach(() => closeFresh({ harness, store }));

    it("keeps exactly what was enrolled, for its own tenant alone", async () => {
      const person = await enrol();
      expect(await store.findPerson(tenantId, person.pseudonym)).toStrictEqual({
        ...person,
        revision: 1,
        renewedAt: at(1),
        failures: 0,
      });
      expect(await store.findPerson(await newTenant(), person.pseudonym)).toBeUndefined();
      expect([await count("transactions"), await count("evidence")]).toStrictEqual([1, 1]);
    });

    it("enrols one of many first calls for one user, and writes nothing of the others", async () => {
      const second = await harness.open();
      const pseudonym = "ab".repeat(32);
      const people = Array.from({ length: 12 }, () => aPerson({ pseudonym }));
      const won = await Promise.all(
        people.map((person, n) =>
          (n % 2 === 0 ? store : second).enrolPerson(person, aTransaction(tenantId), [], aStep("e")),
        ),
      );
      await second.close();
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await store.findPerson(tenantId, pseudonym)).toMatchObject({
        id: people[won.indexOf(true)]!.id,
      });
      const counts = [await count("people"), await count("transactions"), await count("evidence")];
      expect(counts).toStrictEqual([1, 1, 1]);
    });

    it("enrols nobody with a token that was used, nor under a data key that was destroyed", async () => {
      const uses = [{ hash: "ab".repeat(32), expiresAt: at(100) }];
      await store.recordTransaction(aTransaction(tenantId), uses, noStep);
      const refused = store.enrolPerson(aPerson(), aTransaction(tenantId), uses, noStep);
      await expect(refused).rejects.toMatchObject({ code: "token_replayed" });
      await store.destroyKey(dataKeyId, at(5), noStep);
      const late = store.enrolPerson(aPerson(), aTransaction(tenantId), [], noStep);
      await expect(late).rejects.toMatchObject({ code: "store_unavailable" });
      expect([await count("people"), await count("transactions")]).toStrictEqual([0, 1]);
    });

    it("pauses after a run of failures, disables after a longer one, and says so in the evidence", async () => {
      const person = await enrol();
      expect(await attempt(person)).toStrictEqual({ kind: "recorded" });
      expect(await attempt(person)).toStrictEqual({ kind: "recorded" });
      const held = { kind: "held", pausedUntil: at(1100) };
      expect(await attempt(person, { at: at(1099), finding: "match" })).toStrictEqual(held);
      expect(await attempt(person, { at: at(1100) })).toStrictEqual({ kind: "recorded" });
      expect(await count("evidence")).toBe(1);
      expect(await attempt(person, { at: at(2100) })).toStrictEqual({ kind: "recorded" });
      const disabled = { kind: "held", pausedUntil: at(3100), disabledAt: at(2100) };
      expect(await attempt(person, { at: at(999_999), finding: "match" })).toStrictEqual(disabled);
      expect(await harness.query("select kind from evidence order by seq")).toStrictEqual([
        { kind: "enrolled" },
        { kind: "disabled" },
      ]);
      expect(await count("transactions")).toBe(5);
      expect(await store.enablePerson(tenantId, randomUUID(), aStep("x"))).toBe(false);
      expect(await store.enablePerson(tenantId, person.id, aStep("enabled"))).toBe(true);
      expect(await attempt(person)).toStrictEqual({ kind: "recorded" });
      expect(await store.findPerson(tenantId, person.pseudonym)).toMatchObject({ failures: 1 });
    });

    it("ends the run with a match, and leaves it where nothing was concluded", async () => {
      const person = await enrol();
      await attempt(person);
      await attempt(person, { finding: "nothing" });
      expect(await store.findPerson(tenantId, person.pseudonym)).toMatchObject({ failures: 1 });
      await attempt(person, { finding: "match" });
      expect(await store.findPerson(tenantId, person.pseudonym)).toMatchObject({ failures: 0 });
    });

    it("counts no more failures than the pause allows, however many attempts come at once", async () => {
      const person = await enrol();
      const second = await harness.open();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (n % 2 === 0 ? store : second).recordAttempt(attemptOf(person), aTransaction(tenantId), []),
        ),
      );
      await second.close();
      expect(answers.filter(({ kind }) => kind === "recorded")).toHaveLength(2);
      expect(answers.filter(({ kind }) => kind === "held")).toHaveLength(18);
      expect(await store.findPerson(tenantId, person.pseudonym)).toMatchObject({ failures: 2 });
    });

    it("replaces a template once per revision, and judges no attempt against the one before", async () => {
      const person = await enrol();
      const changes = await Promise.all(
        [renewal(person), renewal(person)].map(async (change) => ({
          change,
          answer: await store.replaceTemplate(change, aTransaction(tenantId), aStep("replaced")),
        })),
      );
      expect(changes.map(({ answer }) => answer.kind).sort()).toStrictEqual(["changed", "recorded"]);
      const { change } = changes.find(({ answer }) => answer.kind === "recorded")!;
      const { revision: _, at: renewedAt, ...template } = change;
      expect(await store.findPerson(tenantId, person.pseudonym)).toStrictEqual({
        ...person,
        ...template,
        revision: 2,
        renewedAt,
        failures: 0,
      });
      expect(await attempt(person)).toStrictEqual({ kind: "changed" });
      expect([await count("transactions"), await count("evidence")]).toStrictEqual([2, 2]);
    });

    it("deletes all of the named or none", async () => {
      const [one, two] = [await enrol(), await enrol()];
      const names = await store.listPersonNames(tenantId, [one.pseudonym, two.pseudonym, "unknown"]);
      expect(names.map(({ id }) => id).sort()).toStrictEqual([one.id, two.id].sort());
      expect(await store.listPersonNames(await newTenant(), [one.pseudonym])).toStrictEqual([]);
      expect(await store.listPersonNames(tenantId, [])).toStrictEqual([]);
      await store.replaceTemplate(renewal(two), aTransaction(tenantId), noStep);
      expect(await store.deletePeople(tenantId, names, aTransaction(tenantId), aStep("deleted"))).toBe(false);
      expect([await count("people"), await count("evidence")]).toStrictEqual([2, 2]);
      const again = await store.listPersonNames(tenantId, [one.pseudonym, two.pseudonym]);
      expect(await store.deletePeople(tenantId, again, aTransaction(tenantId), aStep("deleted"))).toBe(true);
      expect([await count("people"), await count("evidence")]).toStrictEqual([0, 3]);
      expect(await attempt(one)).toStrictEqual({ kind: "changed" });
    });

    it("forgets the people of a tenant whose data key was destroyed, and no others", async () => {
      await enrol();
      await enrol();
      const other = await newTenant();
      const spared = aPerson({ tenantId: other, dataKeyId: await newDataKey(other) });
      await store.enrolPerson(spared, aTransaction(other), [], noStep);
      expect(await store.purgePeople()).toBe(0);
      await store.destroyKey(dataKeyId, at(5), noStep);
      dataKeyId = await newDataKey(tenantId);
      const later = await enrol();
      expect(await store.purgePeople()).toBe(2);
      expect(await store.purgePeople()).toBe(0);
      expect(await store.findPerson(other, spared.pseudonym)).toMatchObject({ id: spared.id });
      expect(await store.findPerson(tenantId, later.pseudonym)).toMatchObject({ id: later.id });
    });
  });
};
