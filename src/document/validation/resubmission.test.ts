import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import type { LookUpHistory } from "../history.ts";
import { type Ground, type House, makeGround, openEngine, openHouse } from "../testing/validations.ts";

const started = Compile(Type.Object({ scanReference: Type.String() }));
const answered = Compile(Type.Object({ verification: Type.Record(Type.String(), Type.Unknown()) }));
const { engine, pictureOf } = await openEngine();
const passport = pictureOf("genuine");
const days = 86_400_000;

let ground: Ground;
let house: House;
beforeEach(async () => {
  ground = await makeGround();
  house = await openHouse({ engine, ground });
});
afterEach(async () => {
  await house.close();
  await rm(ground.folder, { recursive: true });
});

const countPictures = async (): Promise<number> =>
  (await readdir(ground.folder, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && !entry.name.startsWith("idem.sqlite"),
  ).length;

/** A passport that is called a visa is asked again (602). */
const asVisa = { country: "CHL", idType: "VISA", documentFrontRawImage: passport };
const asPassport = { ...asVisa, idType: "PASSPORT" };

const send = async (request: Readonly<Record<string, unknown>>): Promise<string> => {
  const { scanReference } = started.Parse(await house.call(house.start, request));
  await house.workOff();
  return scanReference;
};
const read = async (scanReference: string) =>
  answered.Parse(await house.call(house.data, { scanReference })).verification;

describe("a resubmission", () => {
  it("goes on under the same reference, as the next attempt, and keeps the moment of the first", async () => {
    const scanReference = await send(asVisa);
    const first = await read(scanReference);
    expect(first).toMatchObject({ code: 9103, reasonCode: 602, attempt: 1 });
    const again = started.Parse(await house.call(house.start, { ...asPassport, scanReference }));
    expect(again.scanReference).toBe(scanReference);
    expect(await read(scanReference)).toMatchObject({ code: 7002, reasonCode: null, attempt: 2 });
    expect(await house.call(house.status, { scanReference })).toMatchObject({ status: "PENDING" });
    await house.workOff();
    expect(await read(scanReference)).toMatchObject({
      code: 9001,
      attempt: 2,
      acceptanceTime: first["acceptanceTime"],
      document: { number: "F12345678" },
    });
    expect(house.errors).toEqual([]);
  });

  it("keeps the caller's own reference unless it names another", async () => {
    const scanReference = await send({ ...asVisa, merchantIdScanReference: "order-1" });
    await send({ ...asVisa, scanReference });
    expect(await read(scanReference)).toMatchObject({ merchantScanReference: "order-1", attempt: 2 });
    await send({ ...asPassport, scanReference, merchantIdScanReference: "order-2" });
    expect(await read(scanReference)).toMatchObject({ merchantScanReference: "order-2", attempt: 3 });
  });

  it("that meets an outage waits no longer than a first attempt does", async () => {
    const scanReference = await send(asVisa);
    await house.close();
    let asked = 0;
    const lookUpHistory: LookUpHistory = async () => {
      if (asked++ === 0) throw new Failure("search_unavailable");
      return { history: {}, record: [] };
    };
    house = await openHouse({ engine, ground, lookUpHistory });
    house.passTime(days);
    await send({ ...asPassport, scanReference });
    expect(await read(scanReference)).toMatchObject({ code: 7002 });
    house.passTime(3_000);
    await house.workOff();
    expect(await read(scanReference)).toMatchObject({ code: 9001 });
  });

  it("takes the first version's start too, and the reference in upper case", async () => {
    const scanReference = await send(asVisa);
    const { idType, country, documentFrontRawImage: frontsideImage } = asPassport;
    const request = { idType, country, frontsideImage, scanReference: scanReference.toUpperCase() };
    expect(await house.call(house.startV1, request)).toMatchObject({ scanReference });
    await house.workOff();
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

  it("is none where another start has the same merchantIdScanReference: the first goes on waiting", async () => {
    await house.close();
    const resubmission = { attemptsMax: 2, daysMax: 7, countsMerchantReference: false };
    house = await openHouse({ engine, policy: { resubmission } });
    const request = { ...asVisa, merchantIdScanReference: "order-1" };
    const first = await send(request);
    for (const _ of [1, 2]) {
      expect(await read(await send(request))).toMatchObject({ code: 9103, attempt: 1 });
    }
    await send({ ...asPassport, merchantIdScanReference: "order-1", scanReference: first });
    expect(await read(first)).toMatchObject({ code: 9001, attempt: 2 });
  });

  it("is counted over new validations of one merchantIdScanReference where the policy says so, until one is decided", async () => {
    await house.close();
    const resubmission = { attemptsMax: 3, daysMax: 7, countsMerchantReference: true };
    house = await openHouse({ engine, policy: { resubmission } });
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

  it("is refused for what does not wait for it, of others and of nobody, and stores nothing", async () => {
    const approved = await send(asPassport);
    await expect(send({ ...asPassport, scanReference: approved })).rejects.toMatchObject({
      code: "transition_refused",
    });
    const waiting = await send(asVisa);
    const request = { ...asPassport, scanReference: waiting };
    for (const from of [{ tenantId: randomUUID() }, { world: "live" as const }]) {
      await expect(house.call(house.start, request, from)).rejects.toMatchObject({ code: "not_found" });
    }
    await expect(send({ ...asPassport, scanReference: randomUUID() })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await read(waiting)).toMatchObject({ code: 9103, attempt: 1 });
  });

  it("is taken once of two that come at the same time; the other's pictures are gone", async () => {
    const scanReference = await send(asVisa);
    const request = { ...asPassport, scanReference };
    const answers = await Promise.allSettled([1, 2].map(() => house.call(house.start, request)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await countPictures()).toBe(2);
    await house.workOff();
    expect(await read(scanReference)).toMatchObject({ code: 9001, attempt: 2 });
  });

  it("is refused where what was stored of the first is damaged, and stores nothing", async () => {
    const scanReference = await send(asVisa);
    const beside = new Database(join(ground.folder, "idem.sqlite"));
    beside.prepare("update validations set sealed_input = zeroblob(90) where id = ?").run(scanReference);
    beside.close();
    await expect(send({ ...asPassport, scanReference })).rejects.toMatchObject({
      code: "transition_refused",
    });
    expect(await countPictures()).toBe(1);
  });
});

describe("silence", () => {
  it("ends a validation that was asked for better pictures after seven days (9104)", async () => {
    const scanReference = await send(asVisa);
    house.passTime(7 * days - 60_000);
    expect(await house.endWaiting()).toBe(0);
    house.passTime(120_000);
    expect(await house.endWaiting()).toBe(1);
    expect(await house.endWaiting()).toBe(0);
    expect(await house.call(house.status, { scanReference })).toMatchObject({ status: "DONE" });
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
    const [evidence] = (await house.deps.store.listEvidence(house.caller.tenantId, 0)).slice(-1);
    expect(evidence).toMatchObject({ kind: "document_ended", body: { result: { decision: "Abandoned" } } });
  });

  it("ends the others where one cannot be ended, and reports that one", async () => {
    const references = [await send(asVisa), await send(asVisa)];
    house.passTime(8 * days);
    const { store } = house.deps;
    const endValidation: typeof store.endValidation = async (end, step) => {
      if (end.id === references[0]) throw new Error("the row is wrong");
      return await store.endValidation(end, step);
    };
    expect(await house.endWaiting({ store: { ...store, endValidation } })).toBe(1);
    expect(house.errors).toContainEqual(new Error("the row is wrong"));
    expect(await read(references[1]!)).toMatchObject({ code: 9104 });
    expect(await house.endWaiting()).toBe(1);
  });

  it("ends what waits behind a whole page of those that cannot be ended", async () => {
    const { store, clock } = house.deps;
    const { caller } = house;
    const made = { tenantId: caller.tenantId, world: caller.world };
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
      await store.createValidation(row, [], transaction, { events: [], evidence: [] });
    }
    const { scanReference } = started.Parse(await house.call(house.start, asPassport));
    house.passTime(8 * days);
    const endValidation: typeof store.endValidation = async (end, step) => {
      if (broken.includes(end.id)) throw new Error("the row is wrong");
      return await store.endValidation(end, step);
    };
    expect(await house.endWaiting({ store: { ...store, endValidation } })).toBe(1);
    expect(await read(scanReference)).toMatchObject({ code: 9104 });
  });

  it("ends one that nobody decided, whoever sweeps first, and nothing else", async () => {
    const { scanReference } = started.Parse(await house.call(house.start, asPassport));
    const approved = await send({ ...asPassport });
    await house.workOff();
    const open = started.Parse(await house.call(house.start, asPassport)).scanReference;
    house.passTime(8 * days);
    const swept = await Promise.all([house.endWaiting(), house.endWaiting(), house.endWaiting()]);
    expect(swept.reduce((sum, n) => sum + n, 0)).toBe(1);
    expect(await read(open)).toMatchObject({ code: 9104, document: { country: "CHL", number: null } });
    expect(await read(approved)).toMatchObject({ code: 9001 });
    expect(await read(scanReference)).toMatchObject({ code: 9001 });
    const found = await house.deps.store.findValidation(house.caller.tenantId, open);
    expect(found).toMatchObject({ decision: "Expired" });
  });
});
