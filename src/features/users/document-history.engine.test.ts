import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { HistoryQuestion, NumberClaim } from "#judging/document/decision/history/history";
import { aLease } from "#support/document/a-lease";
import { imageOf } from "#support/face/images";
import {
  impostor,
  makeCaller,
  openUserHarness,
  portrait,
  selfies,
  type UserHarness,
} from "#support/users/harness";
import { makeLookUpHistory } from "./document-history.ts";
import type { SearchPolicy } from "./policy.ts";

let harness: UserHarness;
let tenantId: string;

beforeAll(async () => {
  harness = await openUserHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  tenantId = await harness.newTenant();
});

const question = (change: Partial<HistoryQuestion> = {}): HistoryQuestion => ({
  owner: { tenantId, environment: "test" },
  customer: "eva",
  civil: { validation: "v", isPassport: true, sex: null, documentCode: null },
  wantsReference: false,
  portrait: imageOf(selfies[0]),
  number: ["CHL", "F12345678"],
  signal: new AbortController().signal,
  ...change,
});

/** Asks the history service under this policy, after its galleries are filled. */
const ask = async (duplicates: SearchPolicy["duplicates"], asked: HistoryQuestion, keepsNumbers = false) => {
  const policy = { duplicates, fpir: { review: 0.1, refusal: 0.01 } };
  const search = harness.service.searchBy(policy);
  const lookUp = makeLookUpHistory({
    ...harness.service,
    ...search,
    store: harness.store,
    policy,
    keepsNumbers,
  });
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
  makeCaller(harness, harness.serve(), tenantId).enrol(userId, portrait, selfies[1]);
const block = async (name: string) => await harness.block(tenantId, await harness.templateOf(name));

/** Stores an approved validation with this claim. */
const approve = async (claim: NumberClaim): Promise<void> => {
  const [id, at] = [randomUUID(), new Date()];
  const step = { evidence: [] };
  const validation = { id, tenantId, environment: "test", version: 2, createdAt: at } as const;
  const record = { ...aRecord, id, tenantId, at };
  await harness.store.createValidation(
    { ...validation, sealedInput: new Uint8Array(1), blobIds: [] },
    [],
    record,
    step,
  );
  await harness.store.leaseValidations(aLease("w", at, { leaseMs: 1000, limit: 9 }));
  await harness.store.finishValidation(
    { tenantId, id, revision: 0, worker: "w", status: "DONE", at, claim },
    step,
  );
};

const aRecord = {
  keyId: "k",
  environment: "test",
  endpoint: "documentValidation",
  result: null,
  measurements: null,
  policyVersion: "1",
  models: {},
  tokenHashes: [],
} as const;

describe("the history of a document", () => {
  it("is empty if no face is blocked and no check is enabled", async () => {
    await enrol("ana");
    expect(await ask("off", question())).toStrictEqual({ history: {}, record: [] });
  });

  it("finds a registered face, and shows whether it is the customer's own", async () => {
    await enrol("ana");
    const of = async (change: Partial<HistoryQuestion>, duplicates: "flag" | "refuse" = "flag") =>
      (await ask(duplicates, question(change))).history.registeredFace;
    expect(await of({})).toStrictEqual({ match: "sure", isForbidden: false });
    expect(await of({ customer: null }, "refuse")).toStrictEqual({ match: "sure", isForbidden: true });
    expect(await of({ customer: "ana" })).toMatchObject({ match: "none" });
    expect(await of({ portrait: imageOf(impostor) })).toMatchObject({ match: "none" });
    expect(await of({ owner: { tenantId, environment: "live" } })).toMatchObject({ match: "none" });
    const { portrait: _, ...without } = question();
    expect((await ask("flag", without)).history.registeredFace?.match).toBe("unknown");
  });

  it("finds a blocked face, and records the score", async () => {
    const id = await block(portrait);
    const { history, record } = await ask("off", question());
    expect(history).toStrictEqual({ blockedFace: "sure" });
    expect(record).toMatchObject([{ list: "blocked", size: 1, hits: [{ id, isSure: true }] }]);
    expect((await ask("off", question({ portrait: imageOf(impostor) }))).history.blockedFace).toBe("none");
  });

  it("is unknown if the list holds blocked faces of another recogniser", async () => {
    const template = await harness.templateOf(impostor);
    await harness.block(tenantId, template.with(20, template[20]! ^ 1));
    const { history, record } = await ask("off", question());
    expect(history).toStrictEqual({ blockedFace: "unknown" });
    expect(record).toMatchObject([{ list: "blocked", size: 0, missing: 1 }]);
    expect(harness.service.reports).toContainEqual(expect.stringContaining("idem users blocked"));
    await block(portrait);
    expect((await ask("off", question())).history.blockedFace).toBe("sure");
  });

  it("compares the portrait with the claimed user's template, if the policy asks for it", async () => {
    await enrol("ana");
    const of = async (change: Partial<HistoryQuestion>) =>
      (await ask("off", question({ customer: "ana", wantsReference: true, ...change }))).history.reference;
    expect(await of({})).toBe("same");
    expect(await of({ portrait: imageOf(impostor) })).toBe("other");
    expect(await of({ customer: "eva" })).toBe("unregistered");
    expect(await of({ owner: { tenantId, environment: "live" } })).toBe("unregistered");
    expect(await of({ customer: null })).toBe("unnamed");
    expect(await of({ wantsReference: false })).toBeUndefined();
    const { portrait: _, ...faceless } = question({ customer: "ana", wantsReference: true });
    expect((await ask("off", faceless)).history.reference).toBe("unknown");
    const { record } = await ask("off", question({ customer: "ana", wantsReference: true }));
    expect(record).toMatchObject([{ comparison: { use: "document" } }]);
  });

  it("finds the customer of a number by keyed hashes, and claims a number for a customer", async () => {
    const claimOf = async (change: Partial<HistoryQuestion> = {}) =>
      (await ask("off", question(change), true)).claim;
    const claim = await claimOf();
    expect(claim).toStrictEqual(await claimOf());
    expect(JSON.stringify(claim)).not.toMatch(/F12345678|eva/);
    expect((await claimOf({ customer: "ana" }))?.numberHash).toBe(claim?.numberHash);
    expect((await claimOf({ number: ["PER", "F12345678"] }))?.numberHash).not.toBe(claim?.numberHash);
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
