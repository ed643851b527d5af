import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterEach, describe, expect, it } from "vitest";
import { codesOf, decideTogether } from "#support/document/decide-together";
import { type Harness, type HarnessOptions, openEngine, openHarness } from "#support/document/validations";
import type { HistoryQuestion } from "./history.ts";
import { makeDocumentList } from "./listed-documents.ts";
import { withHistoryChecks } from "./velocity.ts";

const { engine, imageOf } = await openEngine();
const started = Compile(Type.Object({ scanReference: Type.String() }));
const passport = { country: "CHL", idType: "PASSPORT", documentFrontRawImage: imageOf("genuine") };

let harness: Harness;
const open = async (policy: HarnessOptions["policy"] = {}): Promise<void> => {
  harness = await openHarness({ engine, policy });
};
afterEach(() => harness.close());

const start = async (change: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  started.Parse(await harness.call(harness.start, { ...passport, ...change })).scanReference;
const send = async (change: Readonly<Record<string, unknown>> = {}): Promise<unknown> => {
  const scanReference = await start(change);
  await harness.workOff();
  expect(harness.errors).toEqual([]);
  return await harness.call(harness.data, { scanReference });
};
const decided = (code: number, reasonCode: number | null) => ({ verification: { code, reasonCode } });

describe("a document that the operator listed", () => {
  it("is declined (106) for every spelling of its number, in its environment, until it is removed from the list", async () => {
    await open();
    const list = makeDocumentList(harness.deps);
    const { tenantId } = harness.caller;
    const document = { country: "CHL", number: "f-123.456 78", note: "stolen in May" };
    const id = await list.add({ tenantId, environment: "test" }, document);
    expect(
      await list.add({ tenantId, environment: "test" }, { ...document, number: "F12345678" }),
    ).toBeUndefined();
    await list.add({ tenantId, environment: "test" }, { ...document, country: "PER" });
    expect(await send()).toMatchObject(decided(9102, 106));
    const entries = [];
    for await (const entry of list.list(tenantId)) entries.push(entry);
    expect(entries).toHaveLength(2);
    expect(entries.find((entry) => entry.id === id)).toMatchObject({
      environment: "test",
      note: "stolen in May",
    });
    expect(JSON.stringify(await harness.deps.store.listEvidence(tenantId, 0))).not.toContain("12345678");
    expect(await list.remove(tenantId, id!)).toBe(true);
    expect(await list.remove(tenantId, id!)).toBe(false);
    expect(await send()).toMatchObject(decided(9001, null));
  });

  it("is declined by its holder's number too, and not for a number of other parts that has the same digits", async () => {
    await open();
    const { tenantId } = harness.caller;
    const owner = { tenantId, environment: "test" } as const;
    const list = makeDocumentList(harness.deps);
    await list.add(owner, { country: "CHL", number: "12.345.678-5", note: "" });
    await list.add(owner, { country: "PAN", number: "08-123-456", note: "" });
    const lookUp = withHistoryChecks(async () => ({ history: {}, record: [] }), harness.deps);
    const listedOf = async (numbers: Pick<HistoryQuestion, "number" | "personalNumber">) => {
      const question = {
        owner,
        customer: null,
        civil: { validation: "v", isPassport: true, sex: null, documentCode: null },
        wantsReference: false,
        signal: new AbortController().signal,
        ...numbers,
      };
      return (await lookUp(question)).history.listed;
    };
    expect(await listedOf({ number: ["CHL", "A123"], personalNumber: ["CHL", "123456785"] })).toEqual([
      "personalNumber",
    ]);
    expect(await listedOf({ number: ["PAN", "8-123-456"] })).toEqual(["documentNumber"]);
    expect(await listedOf({ number: ["PAN", "8-12-3456"] })).toEqual([]);
    expect(await listedOf({})).toBeUndefined();
  });

  it("of the other environment is another document", async () => {
    await open();
    const { tenantId } = harness.caller;
    const document = { country: "CHL", number: "F12345678", note: "" };
    await makeDocumentList(harness.deps).add({ tenantId, environment: "live" }, document);
    expect(await send()).toMatchObject(decided(9001, null));
  });
});

describe("a document that comes often", () => {
  it("is reported above the policy's number of attempts, until its hours are over (107)", async () => {
    await open({ velocity: { attemptsMax: 2, hours: 24 } });
    expect(await send()).toMatchObject(decided(9001, null));
    expect(await send()).toMatchObject(decided(9001, null));
    expect(await send()).toMatchObject(decided(9121, 107));
    expect(await send({ idType: "VISA" })).toMatchObject({
      verification: { additionalReasonCodes: expect.arrayContaining([107]) },
    });
    harness.passTime(25 * 3_600_000);
    expect(await send()).toMatchObject(decided(9001, null));
  });

  it("is reported for the second of two validations that two processes decide at the same time", async () => {
    await open({ velocity: { attemptsMax: 1, hours: 24 } });
    const references = await Promise.all([1, 2].map(() => start()));
    expect((await decideTogether(harness)).toSorted()).toStrictEqual(["finished", "outdated"]);
    harness.passTime(60_000);
    await harness.workOff();
    const codes = await Promise.all(references.map((scanReference) => codesOf(harness, scanReference)));
    expect(codes.toSorted(([a], [b]) => a - b)).toEqual([
      [9001, null],
      [9121, 107],
    ]);
  });

  it("is counted by the caller's reference too, and declined where the policy says so", async () => {
    const consequences = { "attempts-too-many": "decline" } as const;
    await open({ velocity: { attemptsMax: 1, hours: 24 }, consequences });
    const documentFrontRawImage = imageOf("expired");
    const merchantIdScanReference = "order-1";
    expect(await send({ documentFrontRawImage, merchantIdScanReference })).toMatchObject(decided(9102, 511));
    expect(await send({ merchantIdScanReference })).toMatchObject(decided(9102, 107));
  });

  it("leaves no velocity event where the policy counts nothing", async () => {
    await open();
    await send({ merchantIdScanReference: "order-1" });
    expect(await harness.deps.store.purgeVelocityEvents(new Date(Date.now() + 86_400_000))).toBe(0);
  });
});
