import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import {
  type Harness,
  makeValidationBase,
  openEngine,
  openHarness,
  type ValidationBase,
} from "#support/document/validations";
import type { LookUpHistory } from "../decision/history/history.ts";

const started = Compile(Type.Object({ scanReference: Type.String() }));
const answered = Compile(Type.Object({ verification: Type.Record(Type.String(), Type.Unknown()) }));
const { engine, imageOf } = await openEngine();
const passport = imageOf("genuine");
const days = 86_400_000;

let ground: ValidationBase;
let harness: Harness;
beforeEach(async () => {
  ground = await makeValidationBase();
  harness = await openHarness({ engine, ground });
});
afterEach(async () => {
  await harness.close();
  await rm(ground.folder, { recursive: true });
});

const countImages = async (): Promise<number> =>
  (await readdir(ground.folder, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && !entry.name.startsWith("idem.sqlite"),
  ).length;

/** A passport that is declared as a visa gets a request for better images (602). */
const asVisa = { country: "CHL", idType: "VISA", documentFrontRawImage: passport };
const asPassport = { ...asVisa, idType: "PASSPORT" };

const send = async (request: Readonly<Record<string, unknown>>): Promise<string> => {
  const { scanReference } = started.Parse(await harness.call(harness.start, request));
  await harness.workOff();
  return scanReference;
};
const read = async (scanReference: string) =>
  answered.Parse(await harness.call(harness.data, { scanReference })).verification;

describe("a resubmission", () => {
  it("continues under the same reference, as the next attempt, and keeps the acceptance time of the first", async () => {
    const scanReference = await send(asVisa);
    const first = await read(scanReference);
    expect(first).toMatchObject({ code: 9103, reasonCode: 602, attempt: 1 });
    const again = started.Parse(await harness.call(harness.start, { ...asPassport, scanReference }));
    expect(again.scanReference).toBe(scanReference);
    expect(await read(scanReference)).toMatchObject({ code: 7002, reasonCode: null, attempt: 2 });
    expect(await harness.call(harness.status, { scanReference })).toMatchObject({ status: "PENDING" });
    await harness.workOff();
    expect(await read(scanReference)).toMatchObject({
      code: 9001,
      attempt: 2,
      acceptanceTime: first["acceptanceTime"],
      document: { number: "F12345678" },
    });
    expect(harness.errors).toEqual([]);
  });

  it("keeps the caller's own reference unless it names another", async () => {
    const scanReference = await send({ ...asVisa, merchantIdScanReference: "order-1" });
    await send({ ...asVisa, scanReference });
    expect(await read(scanReference)).toMatchObject({ merchantScanReference: "order-1", attempt: 2 });
    await send({ ...asPassport, scanReference, merchantIdScanReference: "order-2" });
    expect(await read(scanReference)).toMatchObject({ merchantScanReference: "order-2", attempt: 3 });
  });

  it("waits no longer than a first attempt in an outage", async () => {
    const scanReference = await send(asVisa);
    await harness.close();
    let asked = 0;
    const lookUpHistory: LookUpHistory = async () => {
      if (asked++ === 0) throw new Failure("search_unavailable");
      return { history: {}, record: [] };
    };
    harness = await openHarness({ engine, ground, lookUpHistory });
    harness.passTime(days);
    await send({ ...asPassport, scanReference });
    expect(await read(scanReference)).toMatchObject({ code: 7002 });
    harness.passTime(3_000);
    await harness.workOff();
    expect(await read(scanReference)).toMatchObject({ code: 9001 });
  });

  it("accepts the start request of version 1, and the reference in upper case", async () => {
    const scanReference = await send(asVisa);
    const { idType, country, documentFrontRawImage: frontsideImage } = asPassport;
    const request = { idType, country, frontsideImage, scanReference: scanReference.toUpperCase() };
    expect(await harness.call(harness.startV1, request)).toMatchObject({ scanReference });
    await harness.workOff();
    expect(await read(scanReference)).toMatchObject({ code: 9001 });
  });

  it("is declined at the tenth attempt (539)", { timeout: 120_000 }, async () => {
    const scanReference = await send(asVisa);
    for (let attempt = 2; attempt <= 9; attempt++) {
      await send({ ...asVisa, scanReference });
      expect(await read(scanReference)).toMatchObject({ code: 9103, reasonCode: 602, attempt });
    }
    await send({ ...asVisa, scanReference });
    expect(await read(scanReference)).toMatchObject({
      code: 9102,
      reasonCode: 539,
      attempt: 10,
      additionalReasonCodes: [510],
    });
    await expect(send({ ...asVisa, scanReference })).rejects.toMatchObject({
      code: "transition_refused",
      facts: { code: 1304 },
    });
  });

  it("is not made by another start with the same merchantIdScanReference: the first validation still waits", async () => {
    await harness.close();
    const resubmission = { attemptsMax: 2, daysMax: 7, countsMerchantReference: false };
    harness = await openHarness({ engine, policy: { resubmission } });
    const request = { ...asVisa, merchantIdScanReference: "order-1" };
    const first = await send(request);
    for (const _ of [1, 2]) {
      expect(await read(await send(request))).toMatchObject({ code: 9103, attempt: 1 });
    }
    await send({ ...asPassport, merchantIdScanReference: "order-1", scanReference: first });
    expect(await read(first)).toMatchObject({ code: 9001, attempt: 2 });
  });

  it("counts across new validations of one merchantIdScanReference if the policy asks for it, until a decision", async () => {
    await harness.close();
    const resubmission = { attemptsMax: 3, daysMax: 7, countsMerchantReference: true };
    harness = await openHarness({ engine, policy: { resubmission } });
    const request = { ...asVisa, merchantIdScanReference: "order-1" };
    const [first, second] = [await send(request), await send(request)];
    expect(second).not.toBe(first);
    expect(await read(second)).toMatchObject({ code: 9103, attempt: 2 });
    await expect(send({ ...request, scanReference: first })).rejects.toMatchObject({
      code: "transition_refused",
    });
    expect(await read(await send({ ...request, merchantIdScanReference: "order-2" }))).toMatchObject({
      attempt: 1,
    });
    expect(await read(await send(asVisa))).toMatchObject({ attempt: 1 });
    expect(await read(await send(request))).toMatchObject({ code: 9102, reasonCode: 539, attempt: 3 });
    expect(await read(await send(request))).toMatchObject({ code: 9103, attempt: 1 });
  });

  it("is refused, and stores nothing, if the validation does not wait, does not exist or belongs to another caller", async () => {
    const approved = await send(asPassport);
    await expect(send({ ...asPassport, scanReference: approved })).rejects.toMatchObject({
      code: "transition_refused",
    });
    const waiting = await send(asVisa);
    const request = { ...asPassport, scanReference: waiting };
    for (const from of [{ tenantId: randomUUID() }, { environment: "live" as const }]) {
      await expect(harness.call(harness.start, request, from)).rejects.toMatchObject({ code: "not_found" });
    }
    await expect(send({ ...asPassport, scanReference: randomUUID() })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await read(waiting)).toMatchObject({ code: 9103, attempt: 1 });
  });

  it("is accepted once if two come at the same time; the images of the other are deleted", async () => {
    const scanReference = await send(asVisa);
    const request = { ...asPassport, scanReference };
    const answers = await Promise.allSettled([1, 2].map(() => harness.call(harness.start, request)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await countImages()).toBe(2);
    await harness.workOff();
    expect(await read(scanReference)).toMatchObject({ code: 9001, attempt: 2 });
  });

  it("is refused, and stores nothing, if the stored input of the first attempt is damaged", async () => {
    const scanReference = await send(asVisa);
    const other = new Database(join(ground.folder, "idem.sqlite"));
    other.prepare("update validations set sealed_input = zeroblob(90) where id = ?").run(scanReference);
    other.close();
    await expect(send({ ...asPassport, scanReference })).rejects.toMatchObject({
      code: "transition_refused",
    });
    expect(await countImages()).toBe(1);
  });
});

describe("a validation without an answer", () => {
  it("ends seven days after the request for better images (9104)", async () => {
    const scanReference = await send(asVisa);
    harness.passTime(7 * days - 60_000);
    expect(await harness.endWaiting()).toBe(0);
    harness.passTime(120_000);
    expect(await harness.endWaiting()).toBe(1);
    expect(await harness.endWaiting()).toBe(0);
    expect(await harness.call(harness.status, { scanReference })).toMatchObject({ status: "DONE" });
    expect(await read(scanReference)).toMatchObject({
      code: 9104,
      status: "Expired/Abandoned",
      reason: null,
      reasonCode: null,
      additionalReasonCodes: [602],
    });
    await expect(send({ ...asPassport, scanReference })).rejects.toMatchObject({
      code: "transition_refused",
    });
    const [evidence] = (await harness.deps.store.listEvidence(harness.caller.tenantId, 0)).slice(-1);
    expect(evidence).toMatchObject({ kind: "document_ended", body: { result: { decision: "Abandoned" } } });
  });

  it("does not keep the others from their end if its own end fails, and is reported", async () => {
    const references = [await send(asVisa), await send(asVisa)];
    harness.passTime(8 * days);
    const { store } = harness.deps;
    const endValidation: typeof store.endValidation = async (end, step) => {
      if (end.id === references[0]) throw new Error("the row is wrong");
      return await store.endValidation(end, step);
    };
    expect(await harness.endWaiting({ store: { ...store, endValidation } })).toBe(1);
    expect(harness.errors).toContainEqual(new Error("the row is wrong"));
    expect(await read(references[1]!)).toMatchObject({ code: 9104 });
    expect(await harness.endWaiting()).toBe(1);
  });

  it("ends, also behind a full page of validations that cannot be ended", async () => {
    const { store, clock } = harness.deps;
    const { caller } = harness;
    const made = { tenantId: caller.tenantId, environment: caller.environment };
    const facts = { keyId: caller.keyId, endpoint: "start", result: null, measurements: null };
    const none = { policyVersion: "1", models: {}, tokenHashes: [] };
    const broken = Array.from({ length: 100 }, (): string => randomUUID());
    for (const id of broken) {
      const row = {
        ...made,
        id,
        version: 2,
        createdAt: clock(),
        sealedInput: new Uint8Array(90),
        blobIds: [],
      } as const;
      const transaction = { ...made, ...facts, ...none, id: randomUUID(), at: clock() };
      await store.createValidation(row, [], transaction, { evidence: [] });
    }
    const { scanReference } = started.Parse(await harness.call(harness.start, asPassport));
    harness.passTime(8 * days);
    const endValidation: typeof store.endValidation = async (end, step) => {
      if (broken.includes(end.id)) throw new Error("the row is wrong");
      return await store.endValidation(end, step);
    };
    expect(await harness.endWaiting({ store: { ...store, endValidation } })).toBe(1);
    expect(await read(scanReference)).toMatchObject({ code: 9104 });
  });

  it("ends once without a decision, also if several sweeps run at the same time, and no other validation ends", async () => {
    const { scanReference } = started.Parse(await harness.call(harness.start, asPassport));
    const approved = await send({ ...asPassport });
    await harness.workOff();
    const open = started.Parse(await harness.call(harness.start, asPassport)).scanReference;
    harness.passTime(8 * days);
    const swept = await Promise.all([harness.endWaiting(), harness.endWaiting(), harness.endWaiting()]);
    expect(swept.reduce((sum, n) => sum + n, 0)).toBe(1);
    expect(await read(open)).toMatchObject({ code: 9104, document: { country: "CHL", number: null } });
    expect(await read(approved)).toMatchObject({ code: 9001 });
    expect(await read(scanReference)).toMatchObject({ code: 9001 });
    const found = await harness.deps.store.findValidation(harness.caller.tenantId, open);
    expect(found).toMatchObject({ decision: "Expired" });
  });
});
