import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { HistoryQuestion, NumberClaim } from "../document/history.ts";
import { pictureOf } from "../face/testing/pictures.ts";
import { makeLookUpHistory } from "./document-history.ts";
import type { SearchPolicy } from "./policy.ts";
import {
  makeCaller,
  openPeopleHouse,
  type PeopleHouse,
  portrait,
  selfies,
  stranger,
} from "./testing/people-house.ts";

let house: PeopleHouse;
let tenantId: string;

beforeAll(async () => {
  house = await openPeopleHouse();
});
afterAll(() => house.close());
beforeEach(async () => {
  tenantId = await house.newTenant();
});

const question = (change: Partial<HistoryQuestion> = {}): HistoryQuestion => ({
  owner: { tenantId, world: "test" },
  customer: "eva",
  wantsReference: false,
  portrait: pictureOf(selfies[0]),
  number: ["CHL", "F12345678"],
  signal: new AbortController().signal,
  ...change,
});

/** Asks a service under this policy, once its galleries are filled. */
const ask = async (duplicates: SearchPolicy["duplicates"], asked: HistoryQuestion, keepsNumbers = false) => {
  const policy = { duplicates, fpir: { review: 0.1, refusal: 0.01 } };
  const search = house.service.searchBy(policy);
  const lookUp = makeLookUpHistory({ ...house.service, ...search, store: house.store, policy, keepsNumbers });
  try {
    for (;;) {
      const known = await lookUp(asked).catch(() => undefined);
      if (known !== undefined) return known;
      await sleep(10);
    }
  } finally {
    await search.close();
  }
};

const enrol = (userId: string) =>
  makeCaller(house, house.serve(), tenantId).enrol(userId, portrait, selfies[1]);
const block = async (name: string) => await house.block(tenantId, await house.templateOf(name));

/** A validation that ends with this claim. */
const approve = async (claim: NumberClaim): Promise<void> => {
  const [id, at] = [randomUUID(), new Date()];
  const step = { events: [], evidence: [] };
  const validation = { id, tenantId, world: "test", version: 2, createdAt: at } as const;
  const record = { ...aRecord, id, tenantId, at };
  await house.store.createValidation(
    { ...validation, sealedInput: new Uint8Array(1), blobIds: [] },
    [],
    record,
    step,
  );
  await house.store.leaseValidations({ worker: "w", leaseMs: 1000, limit: 9, now: at });
  await house.store.finishValidation(
    { tenantId, id, revision: 0, worker: "w", status: "DONE", at, claim },
    step,
  );
};

const aRecord = {
  keyId: "k",
  world: "test",
  endpoint: "documentValidation",
  result: null,
  measurements: null,
  policyVersion: "1",
  models: {},
  tokenHashes: [],
} as const;

describe("the history of a document", () => {
  it("is empty where the operator blocks nobody and wants nothing", async () => {
    await enrol("ana");
    expect(await ask("off", question())).toStrictEqual({ history: {}, record: [] });
  });

  it("knows a registered face, and whether it is the customer's own", async () => {
    await enrol("ana");
    const of = async (change: Partial<HistoryQuestion>, duplicates: "flag" | "refuse" = "flag") =>
      (await ask(duplicates, question(change))).history.registeredFace;
    expect(await of({})).toStrictEqual({ sighting: "sure", isForbidden: false });
    expect(await of({ customer: null }, "refuse")).toStrictEqual({ sighting: "sure", isForbidden: true });
    expect(await of({ customer: "ana" })).toMatchObject({ sighting: "none" });
    expect(await of({ portrait: pictureOf(stranger) })).toMatchObject({ sighting: "none" });
    expect(await of({ owner: { tenantId, world: "live" } })).toMatchObject({ sighting: "none" });
    const { portrait: _, ...without } = question();
    expect((await ask("flag", without)).history.registeredFace?.sighting).toBe("unknown");
  });

  it("knows a blocked face, and says with which score", async () => {
    const id = await block(portrait);
    const { history, record } = await ask("off", question());
    expect(history).toStrictEqual({ blockedFace: "sure" });
    expect(record).toMatchObject([{ list: "blocked", size: 1, hits: [{ id, isSure: true }] }]);
    expect((await ask("off", question({ portrait: pictureOf(stranger) }))).history.blockedFace).toBe("none");
  });

  it("does not know whether a face is blocked beside faces of another recogniser", async () => {
    const template = await house.templateOf(stranger);
    await house.block(tenantId, template.with(20, template[20]! ^ 1));
    const { history, record } = await ask("off", question());
    expect(history).toStrictEqual({ blockedFace: "unknown" });
    expect(record).toMatchObject([{ list: "blocked", size: 0, missing: 1 }]);
    expect(house.service.reports).toContainEqual(expect.stringContaining("idem people blocked"));
    await block(portrait);
    expect((await ask("off", question())).history.blockedFace).toBe("sure");
  });

  it("knows whether the portrait is that of the user whose document it is said to be, where the policy asks", async () => {
    await enrol("ana");
    const of = async (change: Partial<HistoryQuestion>) =>
      (await ask("off", question({ customer: "ana", wantsReference: true, ...change }))).history.reference;
    expect(await of({})).toBe("same");
    expect(await of({ portrait: pictureOf(stranger) })).toBe("other");
    expect(await of({ customer: "eva" })).toBe("unregistered");
    expect(await of({ owner: { tenantId, world: "live" } })).toBe("unregistered");
    expect(await of({ customer: null })).toBe("unnamed");
    expect(await of({ wantsReference: false })).toBeUndefined();
    const { portrait: _, ...faceless } = question({ customer: "ana", wantsReference: true });
    expect((await ask("off", faceless)).history.reference).toBe("unknown");
    const { record } = await ask("off", question({ customer: "ana", wantsReference: true }));
    expect(record).toMatchObject([{ comparison: { use: "document" } }]);
  });

  it("knows whose a number is by keyed hashes, and claims one for a customer", async () => {
    const claimOf = async (change: Partial<HistoryQuestion> = {}) =>
      (await ask("off", question(change), true)).claim;
    const claim = await claimOf();
    expect(claim).toStrictEqual(await claimOf());
    expect(JSON.stringify(claim)).not.toMatch(/F12345678|eva/);
    expect((await claimOf({ customer: "ana" }))?.number).toBe(claim?.number);
    expect((await claimOf({ number: ["PER", "F12345678"] }))?.number).not.toBe(claim?.number);
    expect(await claimOf({ customer: null })).toBeUndefined();
    const isOfAnother = async (change: Partial<HistoryQuestion> = {}) =>
      (await ask("off", question(change), true)).history.numberOfAnother;
    expect(await isOfAnother({ customer: "ana" })).toBe(false);
    await approve(claim!);
    expect(await isOfAnother()).toBe(false);
    expect(await isOfAnother({ customer: "ana" })).toBe(true);
    expect(await isOfAnother({ customer: null })).toBe("unknown");
  });
});
