import { randomUUID } from "node:crypto";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ocrData, validationData } from "#contract/event-document";
import { Failure } from "#contract/failure";
import { reviewedBy } from "#support/document/reviewing";
import { type Harness, openEngine, openHarness } from "#support/document/validations";
import { defaultDocumentPolicy } from "../decision/policy.ts";

const { engine, imageOf } = await openEngine();
const started = Compile(Type.Object({ scanReference: Type.String() }));
const answered = Compile(Type.Object({ verification: Type.Record(Type.String(), Type.Unknown()) }));
const ocr = Compile(ocrData);
const validation = Compile(validationData);
const passport = imageOf("genuine");
const days = 86_400_000;

let harness: Harness;
/** The operation of a test. */
let operationId: string;
beforeEach(async () => {
  harness = await openHarness({ engine });
  operationId = randomUUID();
});
afterEach(() => harness.close());

const request = {
  country: "CHL",
  idType: "PASSPORT",
  documentFrontRawImage: passport,
  merchantIdScanReference: "order-1",
};
const tracked = (change: Readonly<Record<string, unknown>> = {}) => ({
  ...request,
  tracking: { operationId },
  ...change,
});
/**
 * A passport that is declared as a visa gets a request for better images (602); a wrong check digit a review
 * (507).
 */
const asVisa = { idType: "VISA" };
const doubtful = { documentFrontRawImage: imageOf("broken-check-digit") };

const send = async (change: Readonly<Record<string, unknown>>): Promise<string> => {
  const { scanReference } = started.Parse(await harness.call(harness.start, change));
  await harness.workOff();
  expect(harness.errors).toEqual([]);
  return scanReference;
};
const read = async (scanReference: string) =>
  answered.Parse(await harness.call(harness.data, { scanReference })).verification;
const events = () => harness.operations.eventsOf(harness.caller.tenantId, operationId);
/** Name, code of the decision, and kinds of images of each event, in sequence. */
const listed = async () =>
  (await events()).map(({ sequence, name, data, assets }) => [
    sequence,
    name,
    name === "id_validated" ? validation.Parse(data["validation"]).code : null,
    assets.map(({ type }) => type),
  ]);

const opened = [
  [1, "operation_started", null, []],
  [2, "id_captured", null, ["id_front"]],
];

describe("the operation of a document validation", () => {
  it("gets id_captured at the start and id_validated at the decision, which states what data answers", async () => {
    const scanReference = await send(tracked());
    expect(await listed()).toEqual([...opened, [3, "id_validated", 9001, ["id_front"]]]);
    const [first, captured, validated] = await events();
    expect(first?.data).toEqual({ customerId: "order-1" });
    expect(ocr.Parse(captured?.data["ocr"])).toEqual({
      version: 1,
      type: "PASSPORT",
      country: "CHL",
      fields: {},
    });
    const answer = await read(scanReference);
    expect(answer).toMatchObject({ document: { number: "F12345678" }, merchantScanReference: "order-1" });
    expect(validated?.data).toEqual({ validation: { version: 1, ...answer } });
    expect(validated?.assets).toEqual(captured?.assets);
    const { tenantId } = harness.caller;
    const kept = await harness.operations.imageOf(tenantId, captured!.assets[0]!);
    expect(Buffer.from(kept).toString("base64")).toBe(passport);
    expect(harness.operations.stepsOf(tenantId, operationId)).toEqual([
      "startDocumentValidation",
      "documentValidation",
    ]);
  });

  it("gets the same from the first version, with both images", async () => {
    const { country, idType, merchantIdScanReference } = request;
    const tracking = { operationId };
    const images = { frontsideImage: passport, backsideImage: passport };
    await harness.call(harness.startV1, { country, idType, merchantIdScanReference, ...images, tracking });
    await harness.workOff();
    expect(await listed()).toEqual([
      opened[0],
      [2, "id_captured", null, ["id_front", "id_back"]],
      [3, "id_validated", 9001, ["id_front", "id_back"]],
    ]);
  });

  it("gets each resubmission and its decision, with the better images", async () => {
    const scanReference = await send(tracked(asVisa));
    await send(tracked({ scanReference }));
    expect(await listed()).toEqual([
      ...opened,
      [3, "id_validated", 9103, ["id_front"]],
      [4, "id_captured", null, ["id_front"]],
      [5, "id_validated", 9001, ["id_front"]],
    ]);
    const found = await events();
    expect(found[4]?.assets).toEqual(found[3]?.assets);
    expect(found[4]?.assets).not.toEqual(found[2]?.assets);
  });

  it("gets the decision about a resubmission that names no operation, without its images", async () => {
    const scanReference = await send(tracked(asVisa));
    await send({ ...request, scanReference });
    expect((await listed()).slice(3)).toEqual([[4, "id_validated", 9001, []]]);
  });

  it("gets the decision of a reviewer as a second id_validated, also after its end", async () => {
    const scanReference = await send(tracked(doubtful));
    harness.operations.finish(harness.caller.tenantId, operationId);
    const reviewer = reviewedBy(harness, { keyId: randomUUID() });
    await reviewer.claim(scanReference);
    await reviewer.decide(scanReference, { decision: "APPROVE", note: "The digit is worn." });
    expect(await listed()).toEqual([
      ...opened,
      [3, "id_validated", 9121, ["id_front"]],
      [4, "id_validated", 9001, ["id_front"]],
    ]);
    const [, , first, second] = await events();
    expect(first?.data["validation"]).toMatchObject({ reasonCode: 507 });
    expect(second?.data).toEqual({ validation: { version: 1, ...(await read(scanReference)) } });
    expect(JSON.stringify(second?.data)).not.toContain("worn");
  });

  it("gets no event of the first of two reviewers, and one of the second", async () => {
    await harness.close();
    harness = await openHarness({
      engine,
      policy: { review: { ...defaultDocumentPolicy.review, persons: 2 } },
    });
    const scanReference = await send(tracked(doubtful));
    for (const expected of [3, 4]) {
      const reviewer = reviewedBy(harness, { keyId: randomUUID() });
      await reviewer.claim(scanReference);
      await reviewer.decide(scanReference, { decision: "DECLINE", reasonCode: 507, note: "printed over" });
      expect((await events()).length).toBe(expected);
    }
    expect((await listed()).at(-1)).toEqual([4, "id_validated", 9102, ["id_front"]]);
  });

  it("gets the end of the wait for better images (9104)", async () => {
    const scanReference = await send(tracked(asVisa));
    harness.passTime(8 * days);
    expect(await harness.endWaiting()).toBe(1);
    expect((await listed()).slice(3)).toEqual([[4, "id_validated", 9104, ["id_front"]]]);
    expect((await events())[3]?.data).toEqual({
      validation: { version: 1, ...(await read(scanReference)) },
    });
  });

  it("gets the decision of an analysis that was not possible (648)", async () => {
    await harness.close();
    const broken = { ...engine, read: () => Promise.reject(new Failure("image_unreadable")) };
    harness = await openHarness({ engine: broken });
    await harness.call(harness.start, tracked());
    await harness.workOff();
    expect((await listed()).slice(2)).toEqual([[3, "id_validated", 9103, ["id_front"]]]);
    expect((await events())[2]?.data["validation"]).toMatchObject({ reasonCode: 648 });
  });
});

describe("an operation", () => {
  const count = (...tables: readonly string[]): readonly number[] =>
    tables.map((table) => harness.operations.query(`select 1 from ${table}`).length);
  const tables = ["validations", "transactions", "operation_steps", "events", "assets", "blobs"] as const;

  it("that has ended takes no start and no resubmission: 409, and nothing is stored", async () => {
    const scanReference = await send(tracked(asVisa));
    harness.operations.finish(harness.caller.tenantId, operationId);
    const before = count(...tables);
    for (const change of [{}, { scanReference }]) {
      await expect(harness.call(harness.start, tracked(change))).rejects.toMatchObject({
        code: "operation_finished",
      });
    }
    expect(count(...tables)).toEqual(before);
    expect(await read(scanReference)).toMatchObject({ code: 9103, attempt: 1 });
  });

  it("is opened by no start without tracking", async () => {
    await send(request);
    expect(count("validations", "operations", "events", "assets", "blobs")).toEqual([1, 0, 0, 0, 1]);
  });
});
