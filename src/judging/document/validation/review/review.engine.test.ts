import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Caller } from "#contract/endpoint";
import { transactionOf } from "#record/transactions/record-call";
import { aLease } from "#support/document/a-lease";
import { reviewedBy } from "#support/document/reviewing";
import {
  type Harness,
  type HarnessOptions,
  makeValidationBase,
  openEngine,
  openHarness,
  type ValidationBase,
} from "#support/document/validations";
import { noStep } from "#support/storage/suite";
import { destroyTenantKeys, makeKeyring } from "#trust/key-ring/keyring";
import { makeSealing } from "../sealed.ts";
import { makeReviewQueue } from "./review-queue.ts";

const { engine, imageOf } = await openEngine();
const started = Compile(Type.Object({ scanReference: Type.String() }));
/** A wrong check digit leads to a review (507). */
const doubtful = {
  country: "CHL",
  idType: "PASSPORT",
  documentFrontRawImage: imageOf("broken-check-digit"),
  merchantIdScanReference: "order-1",
};

/** A JPEG with a comment behind its start mark. */
const withComment = (image: string, text: string): string => {
  const bytes = Buffer.from(image, "base64");
  const head = Buffer.from([0xff, 0xfe, 0, text.length + 2]);
  return Buffer.concat([bytes.subarray(0, 2), head, Buffer.from(text), bytes.subarray(2)]).toString("base64");
};

let harness: Harness;
const open = async (options: Partial<HarnessOptions> = {}): Promise<void> => {
  harness = await openHarness({ engine, ...options });
};
beforeEach(() => open());
afterEach(() => harness.close());

const send = async (from: Partial<Caller> = {}): Promise<string> => {
  const { scanReference } = started.Parse(await harness.call(harness.start, doubtful, from));
  await harness.workOff();
  return scanReference;
};
/** Adds a review without an analysis, for tests of the list. */
const putWaiting = async (): Promise<string> => {
  const { store } = harness.deps;
  const { tenantId, environment } = harness.caller;
  const [id, at, sealed] = [randomUUID(), new Date(), new Uint8Array(90)];
  const sent = {
    id,
    tenantId,
    environment,
    version: 2,
    createdAt: at,
    sealedInput: sealed,
    blobIds: [],
  } as const;
  const record = transactionOf(
    { caller: harness.caller, transactionId: randomUUID(), receivedAt: at },
    { endpoint: "documentValidation", result: null, measurements: null, policyVersion: "1" },
  );
  await store.createValidation(sent, [], record, noStep);
  await store.leaseValidations(aLease("w", at, { leaseMs: 1000, limit: 1 }));
  const end = { tenantId, id, revision: 0, worker: "w", status: "DONE", decision: "Review", at } as const;
  await store.finishValidation({ ...end, sealedRecord: sealed }, noStep);
  return id;
};
const dataOf = (scanReference: string) => harness.call(harness.data, { scanReference });
/** A reviewer of the operator with a key of its own. */
const reviewer = (change: Partial<Caller> = {}) => reviewedBy(harness, { keyId: randomUUID(), ...change });
const minutes = 60_000;
const held = { code: "review_held" };
const notHeld = { code: "review_not_held" };
const notFound = { code: "not_found" };
const over = { code: "review_decided" };

describe("a review", () => {
  it("is opened by the decision Review, listed without personal data, and shown after a claim", async () => {
    const scanReference = await send();
    const ana = reviewer();
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
    expect(await ana.image(scanReference, "front")).toMatchObject({
      mimeType: "image/jpeg",
      image: doubtful.documentFrontRawImage,
    });
    await expect(ana.image(scanReference, "back")).rejects.toMatchObject(notFound);
  });

  it("is shown without the metadata of its image, which the decision measured", async () => {
    const secret = "Place-of-a-person";
    const documentFrontRawImage = withComment(doubtful.documentFrontRawImage, secret);
    const { scanReference } = started.Parse(
      await harness.call(harness.start, { ...doubtful, documentFrontRawImage }),
    );
    await harness.workOff();
    const ana = reviewer();
    await ana.claim(scanReference);
    const shown = await ana.image(scanReference, "front");
    expect(shown).toMatchObject({ image: doubtful.documentFrontRawImage });
    expect(documentFrontRawImage).not.toBe(doubtful.documentFrontRawImage);
  });

  it.each([
    ["APPROVE", undefined, { code: 9001, status: "Approved", reason: null, reasonCode: null }],
    ["DECLINE", 506, { code: 9102, reasonCode: 506, additionalReasonCodes: [507] }],
    ["RESUBMIT", 204, { code: 9103, reasonCode: 204, additionalReasonCodes: [507] }],
  ] as const)("ends with %s as with any decision", async (decision, reasonCode, verification) => {
    const scanReference = await send();
    const ana = reviewer();
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
    const evidence = await harness.deps.store.listEvidence(harness.caller.tenantId, 0);
    expect(evidence.map(({ kind }) => kind)).toEqual([
      "document_decided",
      "review_claimed",
      "review_decided",
    ]);
    expect(evidence.at(-1)).toMatchObject({
      body: { keys: [ana.keyId], result: { code: verification.code } },
    });
    expect(JSON.stringify(evidence)).not.toContain(note);
    const answers = await harness.deps.store.listTransactions(harness.caller.tenantId, new Date(0));
    expect(answers.map(({ endpoint }) => endpoint)).toContain("documentReview");
  });

  it("that asks for better images waits for them, and they may be approved without a review", async () => {
    const scanReference = await send();
    const ana = reviewer();
    await ana.claim(scanReference);
    await ana.decide(scanReference, { decision: "RESUBMIT", reasonCode: 204 });
    const documentFrontRawImage = imageOf("genuine");
    await harness.call(harness.start, { ...doubtful, documentFrontRawImage, scanReference });
    await harness.workOff();
    expect(await dataOf(scanReference)).toMatchObject({ verification: { code: 9001, attempt: 2 } });
  });

  it("claims the number for the customer after an approval", async () => {
    await harness.close();
    const claim = { numberHash: "n1", customerHash: "c1", seen: [] };
    await open({ lookUpHistory: async () => ({ history: { numberOfAnother: true }, record: [], claim }) });
    const scanReference = await send();
    const ana = reviewer();
    await ana.claim(scanReference);
    expect(await harness.deps.store.findClaims(harness.caller.tenantId, "n1")).toEqual([]);
    await ana.decide(scanReference, { decision: "APPROVE" });
    expect(await harness.deps.store.findClaims(harness.caller.tenantId, "n1")).toEqual(["c1"]);
  });

  it("approves no number that another customer claimed meanwhile; an analysis of better images takes that claim into account", async () => {
    await harness.close();
    let customer = "c1";
    const numbers = () => harness.deps.store.findClaims(harness.caller.tenantId, "n1");
    await open({
      lookUpHistory: async () => ({
        history: {},
        record: [],
        claim: { numberHash: "n1", customerHash: customer, seen: await numbers() },
      }),
    });
    const scanReference = await send();
    customer = "c2";
    await harness.call(harness.start, { ...doubtful, documentFrontRawImage: imageOf("genuine") });
    await harness.workOff();
    customer = "c1";
    const ana = reviewer();
    await ana.claim(scanReference);
    const approving = ana.decide(scanReference, { decision: "APPROVE" });
    await expect(approving).rejects.toMatchObject({ code: "review_outdated" });
    expect(await dataOf(scanReference)).toMatchObject({ verification: { code: 9121 } });
    await ana.decide(scanReference, { decision: "RESUBMIT", reasonCode: 204 });
    await harness.call(harness.start, { ...doubtful, scanReference });
    await harness.workOff();
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
    const ana = reviewer();
    await ana.claim(scanReference);
    await expect(ana.decide(scanReference, statement)).rejects.toMatchObject({ code: "request_invalid" });
    expect(await dataOf(scanReference)).toMatchObject({ verification: { code: 9121 } });
  });

  it("refuses a request for better images if no attempt is left", async () => {
    await harness.close();
    await open({ policy: { resubmission: { attemptsMax: 1, daysMax: 7, countsMerchantReference: false } } });
    const scanReference = await send();
    const ana = reviewer();
    await ana.claim(scanReference);
    await expect(ana.decide(scanReference, { decision: "RESUBMIT", reasonCode: 204 })).rejects.toMatchObject({
      code: "request_invalid",
    });
    await ana.decide(scanReference, { decision: "DECLINE", reasonCode: 507 });
    expect(await dataOf(scanReference)).toMatchObject({ verification: { code: 9102 } });
  });
});

describe("two reviewers", () => {
  it("claim one review at the same time: one holds it, the other gets an error and can claim it after the release", async () => {
    const scanReference = await send();
    const [ana, eva] = [reviewer(), reviewer()];
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

  it("decide nothing after the end of their claim, unless they claim again", async () => {
    const scanReference = await send();
    const [ana, eva] = [reviewer(), reviewer()];
    await ana.claim(scanReference);
    harness.passTime(15 * minutes);
    await expect(ana.decide(scanReference, { decision: "APPROVE" })).rejects.toMatchObject(notHeld);
    await expect(ana.image(scanReference, "front")).rejects.toMatchObject(notHeld);
    await eva.claim(scanReference);
    await expect(ana.claim(scanReference)).rejects.toMatchObject(held);
    await eva.decide(scanReference, { decision: "DECLINE", reasonCode: 507 });
    expect(await dataOf(scanReference)).toMatchObject({ verification: { code: 9102 } });
  });

  it("of the other environment or another tenant find nothing", async () => {
    const scanReference = await send();
    for (const other of [reviewer({ environment: "live" }), reviewer({ tenantId: randomUUID() })]) {
      expect(await other.list()).toMatchObject({ reviews: [] });
      await expect(other.claim(scanReference)).rejects.toMatchObject(notFound);
      await expect(other.show(scanReference)).rejects.toMatchObject(notFound);
      await expect(other.decide(scanReference, { decision: "APPROVE" })).rejects.toMatchObject(notFound);
    }
    const ana = reviewer();
    await ana.claim(scanReference);
    await ana.decide(scanReference, { decision: "APPROVE" });
    for (const other of [reviewer({ environment: "live" }), reviewer({ tenantId: randomUUID() })]) {
      await expect(other.claim(scanReference)).rejects.toMatchObject(notFound);
    }
  });
});

describe("four eyes", () => {
  beforeEach(async () => {
    await harness.close();
    await open({ policy: { review: { holdMinutes: 15, persons: 2 } } });
  });

  it("end a review only when a second key makes the same statement", async () => {
    const scanReference = await send();
    const [ana, eva] = [reviewer(), reviewer()];
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
    const evidence = await harness.deps.store.listEvidence(harness.caller.tenantId, 0);
    expect(evidence.at(-1)).toMatchObject({ kind: "review_decided", body: { keys: [ana.keyId, eva.keyId] } });
  });

  it("continue if the second reviewer disagrees: the first may agree to the second statement", async () => {
    const scanReference = await send();
    const [ana, eva] = [reviewer(), reviewer()];
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

it("keeps the images of a document in review, however old", async () => {
  const scanReference = await send();
  const { store } = harness.deps;
  expect(await store.forgetBlobs(new Date(Date.now() + minutes))).toBe(0);
  const ana = reviewer();
  await ana.claim(scanReference);
  await ana.decide(scanReference, { decision: "APPROVE" });
  expect(await store.forgetBlobs(new Date(Date.now() + minutes))).toBe(1);
});

it("lists in pages without gaps, and the last page has no `next`", async () => {
  const references: string[] = [];
  for (let n = 0; n < 26; n++) references.push(await putWaiting());
  const page = Compile(
    Type.Object({ reviews: Type.Array(started.Type()), next: Type.Union([Type.String(), Type.Null()]) }),
  );
  const ana = reviewer();
  const first = page.Parse(await ana.list());
  expect(first.reviews).toHaveLength(25);
  const second = page.Parse(await ana.list(first.next ?? ""));
  expect(second).toMatchObject({ reviews: [{}], next: null });
  const listed = [...first.reviews, ...second.reviews].map(({ scanReference }) => scanReference);
  expect(listed.toSorted()).toEqual(references.toSorted());
  await expect(ana.list("yesterday")).rejects.toMatchObject({ code: "request_invalid" });
});

describe("in a store that another program changed", () => {
  let ground: ValidationBase;
  beforeEach(async () => {
    await harness.close();
    ground = await makeValidationBase();
    const { folder } = ground;
    onTestFinished(() => rm(folder, { recursive: true }));
    await open({ ground });
  });
  const write = (statement: string, ...values: readonly unknown[]): void => {
    const other = new Database(join(ground.folder, "idem.sqlite"));
    try {
      other.prepare(statement).run(...values);
    } finally {
      other.close();
    }
  };
  const ofNewerRelease = async (id: string): Promise<Uint8Array> => {
    const record = Buffer.from(JSON.stringify({ status: "Paused" }));
    const { tenantId, environment } = harness.caller;
    const context = { owner: `validation-record ${id}`, environment };
    return await harness.deps.keyring.seal(tenantId, "documents", record, context);
  };
  const hidden = { country: null, idType: null, reasonCode: null, additionalReasonCodes: [] };

  it.each([
    ["is damaged", async () => new Uint8Array(90)],
    ["has the shape of a newer release", ofNewerRelease],
  ])("a review whose record %s is listed with the others", async (_, recordOf) => {
    const [unreadable, sound] = [await send(), await send()];
    write("update validations set sealed_record = ? where id = ?", await recordOf(unreadable), unreadable);
    expect(await reviewer().list()).toMatchObject({
      reviews: [
        { scanReference: unreadable, ...hidden },
        { scanReference: sound, reasonCode: 507 },
      ],
    });
  });

  it("a review whose key was destroyed is listed with the others", async () => {
    const erased = await send();
    const { tenantId } = harness.caller;
    await destroyTenantKeys(harness.deps.store, tenantId, new Date());
    // Like another process. This process may use the key for two more seconds.
    await harness.close();
    await open({ ground });
    const sound = await send({ tenantId });
    expect(await reviewer({ tenantId }).list()).toMatchObject({
      reviews: [
        { scanReference: erased, ...hidden },
        { scanReference: sound, reasonCode: 507 },
      ],
    });
  });

  it("a validation that waits for a review but has none, as in earlier releases, is not reported as decided", async () => {
    const scanReference = await send();
    write("delete from reviews where validation_id = ?", scanReference);
    const ana = reviewer();
    for (const ask of [ana.claim, ana.release, ana.show]) {
      await expect(ask(scanReference)).rejects.toMatchObject(notFound);
    }
  });
});

it("lists a page with one read of the tenant's keys", async () => {
  await harness.close();
  const ground = await makeValidationBase();
  onTestFinished(() => rm(ground.folder, { recursive: true }));
  await open({ ground });
  await send();
  await send();
  let reads = 0;
  const { store, clock } = harness.deps;
  const findKeys = (tenantId: string) => {
    reads++;
    return store.findKeys(tenantId);
  };
  const keyring = makeKeyring({ store: { ...store, findKeys }, masters: ground.masters, now: clock });
  const queue = makeReviewQueue({ ...harness.deps, sealing: makeSealing(keyring) });
  const { reviews } = await queue.list(harness.caller);
  expect(reviews.map(({ document }) => document?.reasonCode)).toEqual([507, 507]);
  expect(reads).toBe(1);
});

it("lists no reason with personal information", async () => {
  await harness.close();
  const exposed = { matches: { count: 1 }, list: "Register 1" };
  await open({ lookUpHistory: async () => ({ history: { exposed }, record: [] }) });
  const request = { ...doubtful, documentFrontRawImage: imageOf("genuine") };
  const { scanReference } = started.Parse(await harness.call(harness.start, request));
  await harness.workOff();
  expect(await dataOf(scanReference)).toMatchObject({ verification: { reasonCode: 126 } });
  await send();
  const code = Type.Integer();
  const reasoned = Type.Object({
    reasonCode: Type.Union([code, Type.Null()]),
    additionalReasonCodes: Type.Array(code),
  });
  const { reviews } = Compile(Type.Object({ reviews: Type.Array(reasoned) })).Parse(await reviewer().list());
  expect(reviews.map((one) => [one.reasonCode, ...one.additionalReasonCodes])).toEqual([[null], [507]]);
});
