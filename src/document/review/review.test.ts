import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Caller } from "#contract/endpoint";
import { destroyTenantKeys, makeKeyring } from "../../storage/keyring.ts";
import { aTransaction, noStep } from "../../storage/testing/suite.ts";
import { reviewedBy } from "../testing/reviewing.ts";
import {
  type Ground,
  type House,
  type HouseOptions,
  makeGround,
  openEngine,
  openHouse,
} from "../testing/validations.ts";
import { makeSealing } from "../validation/sealed.ts";
import { makeReviewDesk } from "./review-desk.ts";

const { engine, pictureOf } = await openEngine();
const started = Compile(Type.Object({ scanReference: Type.String() }));
/** A wrong check digit is for a person (507). */
const doubtful = {
  country: "CHL",
  idType: "PASSPORT",
  documentFrontRawImage: pictureOf("broken-check-digit"),
  merchantIdScanReference: "order-1",
};

let house: House;
const open = async (options: Partial<HouseOptions> = {}): Promise<void> => {
  house = await openHouse({ engine, ...options });
};
beforeEach(() => open());
afterEach(() => house.close());

const send = async (from: Partial<Caller> = {}): Promise<string> => {
  const { scanReference } = started.Parse(await house.call(house.start, doubtful, from));
  await house.workOff();
  return scanReference;
};
/** Waits for a person without having been read: for where only its place in the list counts. */
const putWaiting = async (): Promise<string> => {
  const { store } = house.deps;
  const { tenantId, world } = house.caller;
  const [id, at, sealed] = [randomUUID(), new Date(), new Uint8Array(90)];
  const sent = { id, tenantId, world, version: 2, createdAt: at, sealedInput: sealed, blobIds: [] } as const;
  await store.createValidation(sent, [], aTransaction(tenantId), noStep);
  await store.leaseValidations({ worker: "w", leaseMs: 1000, limit: 1, now: at });
  const end = { tenantId, id, revision: 0, worker: "w", status: "DONE", decision: "Review", at } as const;
  await store.finishValidation({ ...end, sealedRecord: sealed }, noStep);
  return id;
};
const dataOf = (scanReference: string) => house.call(house.data, { scanReference });
/** A person of the operator with a key of its own. */
const person = (change: Partial<Caller> = {}) => reviewedBy(house, { keyId: randomUUID(), ...change });
const minutes = 60_000;
const held = { code: "review_held" };
const notHeld = { code: "review_not_held" };
const notFound = { code: "not_found" };
const over = { code: "review_decided" };

describe("a review", () => {
  it("is opened by a decision for a person, listed without anything of the holder, and shown to who claims it", async () => {
    const scanReference = await send();
    const ana = person();
    const list = await ana.list();
    expect(list).toMatchObject({
      reviews: [
        {
          scanReference,
          claimedUntil: null,
          isMine: false,
          isProposed: false,
          country: "CHL",
          idType: "PASSPORT",
          reasonCode: 507,
          additionalReasonCodes: [],
        },
      ],
      next: null,
    });
    expect(JSON.stringify(list)).not.toContain("F12345678");
    await expect(ana.show(scanReference)).rejects.toMatchObject(notHeld);
    await ana.claim(scanReference);
    expect(await ana.list()).toMatchObject({ reviews: [{ isMine: true, claimedUntil: expect.any(String) }] });
    expect(await ana.show(scanReference)).toMatchObject({
      record: {
        verification: {
          code: 9121,
          reasonCode: 507,
          merchantScanReference: "order-1",
          document: { number: "F12345678" },
        },
      },
      sides: ["front"],
      findings: expect.arrayContaining([
        expect.objectContaining({
          name: "check-digits-wrong",
          holds: true,
          reasonCode: 507,
          explanation: expect.stringContaining("Check digits are wrong"),
        }),
      ]),
      proposal: null,
    });
    expect(await ana.picture(scanReference, "front")).toMatchObject({
      mimeType: "image/jpeg",
      image: doubtful.documentFrontRawImage,
    });
    await expect(ana.picture(scanReference, "back")).rejects.toMatchObject(notFound);
  });

  it.each([
    ["APPROVE", undefined, { code: 9001, status: "Approved", reason: null, reasonCode: null }],
    ["DECLINE", 506, { code: 9102, reasonCode: 506, additionalReasonCodes: [507] }],
    ["RESUBMIT", 204, { code: 9103, reasonCode: 204, additionalReasonCodes: [507] }],
  ] as const)("ends with %s as any decision does", async (decision, reasonCode, verification) => {
    const scanReference = await send();
    const ana = person();
    await ana.claim(scanReference);
    const note = "seen by the holder's friend";
    expect(
      await ana.decide(scanReference, { decision, note, ...(reasonCode && { reasonCode }) }),
    ).toMatchObject({
      state: "decided",
    });
    const data = await dataOf(scanReference);
    expect(data).toMatchObject({ status: "Success", verification });
    expect(JSON.stringify(data)).not.toContain(note);
    expect(await ana.list()).toMatchObject({ reviews: [], next: null });
    for (const late of [ana.claim, ana.release, ana.show]) {
      await expect(late(scanReference)).rejects.toMatchObject(over);
    }
    await expect(ana.decide(scanReference, { decision: "APPROVE" })).rejects.toMatchObject(over);
    const evidence = await house.deps.store.listEvidence(house.caller.tenantId, 0);
    expect(evidence.map(({ kind }) => kind)).toEqual([
      "document_decided",
      "review_claimed",
      "review_decided",
    ]);
    expect(evidence.at(-1)).toMatchObject({
      body: { keys: [ana.keyId], result: { code: verification.code } },
    });
    expect(JSON.stringify(evidence)).not.toContain(note);
    const answers = await house.deps.store.listTransactions(house.caller.tenantId, new Date(0));
    expect(answers.map(({ endpoint }) => endpoint)).toContain("documentReview");
  });

  it("that asks for better pictures waits for them, and they may be approved by themselves", async () => {
    const scanReference = await send();
    const ana = person();
    await ana.claim(scanReference);
    await ana.decide(scanReference, { decision: "RESUBMIT", reasonCode: 204 });
    const documentFrontRawImage = pictureOf("genuine");
    await house.call(house.start, { ...doubtful, documentFrontRawImage, scanReference });
    await house.workOff();
    expect(await dataOf(scanReference)).toMatchObject({ verification: { code: 9001, attempt: 2 } });
  });

  it("claims the number for the customer whose document a person approves", async () => {
    await house.close();
    const claim = { number: "n1", customer: "c1", seen: [] };
    await open({ lookUpHistory: async () => ({ history: { numberOfAnother: true }, record: [], claim }) });
    const scanReference = await send();
    const ana = person();
    await ana.claim(scanReference);
    expect(await house.deps.store.findClaims(house.caller.tenantId, "n1")).toEqual([]);
    await ana.decide(scanReference, { decision: "APPROVE" });
    expect(await house.deps.store.findClaims(house.caller.tenantId, "n1")).toEqual(["c1"]);
  });

  it("approves no number that became another customer's since; better pictures are analysed with it", async () => {
    await house.close();
    let customer = "c1";
    const numbers = () => house.deps.store.findClaims(house.caller.tenantId, "n1");
    await open({
      lookUpHistory: async () => ({
        history: {},
        record: [],
        claim: { number: "n1", customer, seen: await numbers() },
      }),
    });
    const scanReference = await send();
    customer = "c2";
    await house.call(house.start, { ...doubtful, documentFrontRawImage: pictureOf("genuine") });
    await house.workOff();
    customer = "c1";
    const ana = person();
    await ana.claim(scanReference);
    const approving = ana.decide(scanReference, { decision: "APPROVE" });
    await expect(approving).rejects.toMatchObject({ code: "review_outdated" });
    expect(await dataOf(scanReference)).toMatchObject({ verification: { code: 9121 } });
    await ana.decide(scanReference, { decision: "RESUBMIT", reasonCode: 204 });
    await house.call(house.start, { ...doubtful, scanReference });
    await house.workOff();
    await ana.claim(scanReference);
    await ana.decide(scanReference, { decision: "APPROVE" });
    expect(await numbers()).toEqual(["c1", "c2"]);
  });

  it.each([
    [{ decision: "APPROVE", reasonCode: 507 }],
    [{ decision: "DECLINE" }],
    [{ decision: "DECLINE", reasonCode: 602 }],
    [{ decision: "DECLINE", reasonCode: 599 }],
    [{ decision: "RESUBMIT", reasonCode: 507 }],
    [{ decision: "MAYBE" }],
    [{ decision: "APPROVE", note: "x".repeat(2001) }],
  ])("refuses %j and stays open", async (statement) => {
    const scanReference = await send();
    const ana = person();
    await ana.claim(scanReference);
    await expect(ana.decide(scanReference, statement)).rejects.toMatchObject({ code: "request_invalid" });
    expect(await dataOf(scanReference)).toMatchObject({ verification: { code: 9121 } });
  });

  it("asks for no better pictures where no attempt is left", async () => {
    await house.close();
    await open({ policy: { resubmission: { attemptsMax: 1, daysMax: 7, countsMerchantReference: false } } });
    const scanReference = await send();
    const ana = person();
    await ana.claim(scanReference);
    await expect(ana.decide(scanReference, { decision: "RESUBMIT", reasonCode: 204 })).rejects.toMatchObject({
      code: "request_invalid",
    });
    await ana.decide(scanReference, { decision: "DECLINE", reasonCode: 507 });
    expect(await dataOf(scanReference)).toMatchObject({ verification: { code: 9102 } });
  });
});

describe("two persons", () => {
  it("claim one review at once: one has it, the other is told, and takes it when it is let go", async () => {
    const scanReference = await send();
    const [ana, eva] = [person(), person()];
    const answers = await Promise.allSettled([ana.claim(scanReference), eva.claim(scanReference)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const [first, second] = answers[0].status === "fulfilled" ? [ana, eva] : [eva, ana];
    await expect(second.claim(scanReference)).rejects.toMatchObject(held);
    await expect(second.show(scanReference)).rejects.toMatchObject(notHeld);
    await expect(second.release(scanReference)).rejects.toMatchObject(notHeld);
    await first.release(scanReference);
    await second.claim(scanReference);
    await expect(first.decide(scanReference, { decision: "APPROVE" })).rejects.toMatchObject(notHeld);
    await second.decide(scanReference, { decision: "APPROVE" });
    await expect(first.claim(scanReference)).rejects.toMatchObject(over);
  });

  it("decide nothing after their time is over, unless they claim again", async () => {
    const scanReference = await send();
    const [ana, eva] = [person(), person()];
    await ana.claim(scanReference);
    house.passTime(15 * minutes);
    await expect(ana.decide(scanReference, { decision: "APPROVE" })).rejects.toMatchObject(notHeld);
    await expect(ana.picture(scanReference, "front")).rejects.toMatchObject(notHeld);
    await eva.claim(scanReference);
    await expect(ana.claim(scanReference)).rejects.toMatchObject(held);
    await eva.decide(scanReference, { decision: "DECLINE", reasonCode: 507 });
    expect(await dataOf(scanReference)).toMatchObject({ verification: { code: 9102 } });
  });

  it("of the other world or another tenant know of nothing", async () => {
    const scanReference = await send();
    for (const stranger of [person({ world: "live" }), person({ tenantId: randomUUID() })]) {
      expect(await stranger.list()).toMatchObject({ reviews: [] });
      await expect(stranger.claim(scanReference)).rejects.toMatchObject(notFound);
      await expect(stranger.show(scanReference)).rejects.toMatchObject(notFound);
      await expect(stranger.decide(scanReference, { decision: "APPROVE" })).rejects.toMatchObject(notFound);
    }
    const ana = person();
    await ana.claim(scanReference);
    await ana.decide(scanReference, { decision: "APPROVE" });
    for (const stranger of [person({ world: "live" }), person({ tenantId: randomUUID() })]) {
      await expect(stranger.claim(scanReference)).rejects.toMatchObject(notFound);
    }
  });
});

describe("four eyes", () => {
  beforeEach(async () => {
    await house.close();
    await open({ policy: { review: { holdMinutes: 15, persons: 2 } } });
  });

  it("end a review when a second key says the same, and not before", async () => {
    const scanReference = await send();
    const [ana, eva] = [person(), person()];
    await ana.claim(scanReference);
    const statement = { decision: "DECLINE", reasonCode: 507, note: "printed over" };
    expect(await ana.decide(scanReference, statement)).toMatchObject({ state: "proposed" });
    expect(await dataOf(scanReference)).toMatchObject({ verification: { code: 9121 } });
    expect(await eva.list()).toMatchObject({ reviews: [{ isProposed: true, claimedUntil: null }] });
    await expect(ana.claim(scanReference)).rejects.toMatchObject({ code: "review_needs_another" });
    await expect(ana.decide(scanReference, statement)).rejects.toMatchObject(notHeld);
    await eva.claim(scanReference);
    expect(await eva.show(scanReference)).toMatchObject({ proposal: statement });
    const agreed = { decision: "DECLINE", reasonCode: 507 };
    expect(await eva.decide(scanReference, agreed)).toMatchObject({ state: "decided" });
    expect(await dataOf(scanReference)).toMatchObject({ verification: { code: 9102, reasonCode: 507 } });
    const evidence = await house.deps.store.listEvidence(house.caller.tenantId, 0);
    expect(evidence.at(-1)).toMatchObject({ kind: "review_decided", body: { keys: [ana.keyId, eva.keyId] } });
  });

  it("go on where the second says otherwise: the first may agree to that", async () => {
    const scanReference = await send();
    const [ana, eva] = [person(), person()];
    await ana.claim(scanReference);
    await ana.decide(scanReference, { decision: "APPROVE" });
    await eva.claim(scanReference);
    expect(await eva.decide(scanReference, { decision: "DECLINE", reasonCode: 507 })).toMatchObject({
      state: "proposed",
    });
    await ana.claim(scanReference);
    await ana.decide(scanReference, { decision: "DECLINE", reasonCode: 507 });
    expect(await dataOf(scanReference)).toMatchObject({ verification: { code: 9102 } });
  });
});

it("keeps the pictures of a document that waits for a person, however old", async () => {
  const scanReference = await send();
  const { store } = house.deps;
  expect(await store.forgetBlobs(new Date(Date.now() + minutes))).toBe(0);
  const ana = person();
  await ana.claim(scanReference);
  await ana.decide(scanReference, { decision: "APPROVE" });
  expect(await store.forgetBlobs(new Date(Date.now() + minutes))).toBe(1);
});

it("lists in pages that go on where the last one ended, and the last names no next", async () => {
  const references: string[] = [];
  for (let n = 0; n < 26; n++) references.push(await putWaiting());
  const page = Compile(
    Type.Object({ reviews: Type.Array(started.Type()), next: Type.Union([Type.String(), Type.Null()]) }),
  );
  const ana = person();
  const first = page.Parse(await ana.list());
  expect(first.reviews).toHaveLength(25);
  const second = page.Parse(await ana.list(first.next ?? ""));
  expect(second).toMatchObject({ reviews: [{}], next: null });
  const listed = [...first.reviews, ...second.reviews].map(({ scanReference }) => scanReference);
  expect(listed.toSorted()).toEqual(references.toSorted());
  await expect(ana.list("yesterday")).rejects.toMatchObject({ code: "request_invalid" });
});

describe("in a store that was written beside it", () => {
  let ground: Ground;
  beforeEach(async () => {
    await house.close();
    ground = await makeGround();
    const { folder } = ground;
    onTestFinished(() => rm(folder, { recursive: true }));
    await open({ ground });
  });
  const write = (statement: string, ...values: readonly unknown[]): void => {
    const beside = new Database(join(ground.folder, "idem.sqlite"));
    try {
      beside.prepare(statement).run(...values);
    } finally {
      beside.close();
    }
  };
  const ofNewerRelease = async (id: string): Promise<Uint8Array> => {
    const record = Buffer.from(JSON.stringify({ status: "Paused" }));
    const { tenantId } = house.caller;
    return await house.deps.keyring.seal(tenantId, "documents", record, `validation-record ${id}`);
  };
  const untold = { country: null, idType: null, reasonCode: null, additionalReasonCodes: [] };

  it.each([
    ["is damaged", async () => new Uint8Array(90)],
    ["has the shape of a newer release", ofNewerRelease],
  ])("one whose record %s is listed beside the others", async (_, recordOf) => {
    const [unreadable, sound] = [await send(), await send()];
    write("update validations set sealed_record = ? where id = ?", await recordOf(unreadable), unreadable);
    expect(await person().list()).toMatchObject({
      reviews: [
        { scanReference: unreadable, ...untold },
        { scanReference: sound, reasonCode: 507 },
      ],
    });
  });

  it("one whose key was destroyed is listed beside the others", async () => {
    const erased = await send();
    const { tenantId } = house.caller;
    await destroyTenantKeys(house.deps.store, tenantId, new Date());
    // As another process: this one may go on with the key for two seconds.
    await house.close();
    await open({ ground });
    const sound = await send({ tenantId });
    expect(await person({ tenantId }).list()).toMatchObject({
      reviews: [
        { scanReference: erased, ...untold },
        { scanReference: sound, reasonCode: 507 },
      ],
    });
  });

  it("one that waits for a person without a review, as of earlier releases, is not called decided", async () => {
    const scanReference = await send();
    write("delete from reviews where validation_id = ?", scanReference);
    const ana = person();
    for (const ask of [ana.claim, ana.release, ana.show]) {
      await expect(ask(scanReference)).rejects.toMatchObject(notFound);
    }
  });
});

it("lists a page with one look at the tenant's keys", async () => {
  await house.close();
  const ground = await makeGround();
  onTestFinished(() => rm(ground.folder, { recursive: true }));
  await open({ ground });
  await send();
  await send();
  let looks = 0;
  const { store, clock } = house.deps;
  const findKeys = (tenantId: string) => {
    looks++;
    return store.findKeys(tenantId);
  };
  const keyring = makeKeyring({ store: { ...store, findKeys }, masters: ground.masters, now: clock });
  const desk = makeReviewDesk({ ...house.deps, sealing: makeSealing(keyring) });
  const { reviews } = await desk.list(house.caller);
  expect(reviews.map(({ document }) => document?.reasonCode)).toEqual([507, 507]);
  expect(looks).toBe(1);
});

it("lists no reason that tells of the holder", async () => {
  await house.close();
  const exposed = { matches: { count: 1 }, list: "Register 1" };
  await open({ lookUpHistory: async () => ({ history: { exposed }, record: [] }) });
  const request = { ...doubtful, documentFrontRawImage: pictureOf("genuine") };
  const { scanReference } = started.Parse(await house.call(house.start, request));
  await house.workOff();
  expect(await dataOf(scanReference)).toMatchObject({ verification: { reasonCode: 126 } });
  await send();
  const code = Type.Integer();
  const reasoned = Type.Object({
    reasonCode: Type.Union([code, Type.Null()]),
    additionalReasonCodes: Type.Array(code),
  });
  const { reviews } = Compile(Type.Object({ reviews: Type.Array(reasoned) })).Parse(await person().list());
  expect(reviews.map((one) => [one.reasonCode, ...one.additionalReasonCodes])).toEqual([[null], [507]]);
});
