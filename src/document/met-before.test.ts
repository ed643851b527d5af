import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterEach, describe, expect, it } from "vitest";
import { makeDocumentList } from "./document-list.ts";
import type { HistoryQuestion } from "./history.ts";
import { withMetBefore } from "./met-before.ts";
import { type House, type HouseOptions, openEngine, openHouse } from "./testing/validations.ts";

const { engine, pictureOf } = await openEngine();
const started = Compile(Type.Object({ scanReference: Type.String() }));
const passport = { country: "CHL", idType: "PASSPORT", documentFrontRawImage: pictureOf("genuine") };

let house: House;
const open = async (policy: HouseOptions["policy"] = {}): Promise<void> => {
  house = await openHouse({ engine, policy });
};
afterEach(() => house.close());

const send = async (change: Readonly<Record<string, unknown>> = {}): Promise<unknown> => {
  const { scanReference } = started.Parse(await house.call(house.start, { ...passport, ...change }));
  await house.workOff();
  expect(house.errors).toEqual([]);
  return await house.call(house.data, { scanReference });
};
const decided = (code: number, reasonCode: number | null) => ({ verification: { code, reasonCode } });

describe("a document that the operator listed", () => {
  it("is declined (106) however its number is written, in its world, until it is taken off the list", async () => {
    await open();
    const list = makeDocumentList(house.deps);
    const { tenantId } = house.caller;
    const document = { country: "CHL", number: "f-123.456 78", note: "stolen in May" };
    const id = await list.add({ tenantId, world: "test" }, document);
    expect(await list.add({ tenantId, world: "test" }, { ...document, number: "F12345678" })).toBeUndefined();
    await list.add({ tenantId, world: "test" }, { ...document, country: "PER" });
    expect(await send()).toMatchObject(decided(9102, 106));
    const entries = [];
    for await (const entry of list.list(tenantId)) entries.push(entry);
    expect(entries).toHaveLength(2);
    expect(entries.find((entry) => entry.id === id)).toMatchObject({ world: "test", note: "stolen in May" });
    expect(JSON.stringify(await house.deps.store.listEvidence(tenantId, 0))).not.toContain("12345678");
    expect(await list.remove(tenantId, id!)).toBe(true);
    expect(await list.remove(tenantId, id!)).toBe(false);
    expect(await send()).toMatchObject(decided(9001, null));
  });

  it("is declined by its holder's number too, and not for a number of other parts that has the same digits", async () => {
    await open();
    const { tenantId } = house.caller;
    const owner = { tenantId, world: "test" } as const;
    const list = makeDocumentList(house.deps);
    await list.add(owner, { country: "CHL", number: "12.345.678-5", note: "" });
    await list.add(owner, { country: "PAN", number: "08-123-456", note: "" });
    const lookUp = withMetBefore(async () => ({ history: {}, record: [] }), house.deps);
    const listedOf = async (numbers: Pick<HistoryQuestion, "number" | "personalNumber">) => {
      const question = {
        owner,
        customer: null,
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

  it("of the other world is another", async () => {
    await open();
    const { tenantId } = house.caller;
    const document = { country: "CHL", number: "F12345678", note: "" };
    await makeDocumentList(house.deps).add({ tenantId, world: "live" }, document);
    expect(await send()).toMatchObject(decided(9001, null));
  });
});

describe("a document that comes often", () => {
  it("is told from the attempt on that the policy names, and no more when the time is over (107)", async () => {
    await open({ velocity: { attemptsMax: 2, hours: 24 } });
    expect(await send()).toMatchObject(decided(9001, null));
    expect(await send()).toMatchObject(decided(9001, null));
    expect(await send()).toMatchObject(decided(9121, 107));
    expect(await send({ idType: "VISA" })).toMatchObject({
      verification: { additionalReasonCodes: expect.arrayContaining([107]) },
    });
    house.passTime(25 * 3_600_000);
    expect(await send()).toMatchObject(decided(9001, null));
  });

  it("is counted by the caller's reference too, and declined where the policy says so", async () => {
    const consequences = { "attempts-too-many": "decline" } as const;
    await open({ velocity: { attemptsMax: 1, hours: 24 }, consequences });
    const documentFrontRawImage = pictureOf("expired");
    const merchantIdScanReference = "order-1";
    expect(await send({ documentFrontRawImage, merchantIdScanReference })).toMatchObject(decided(9102, 511));
    expect(await send({ merchantIdScanReference })).toMatchObject(decided(9102, 107));
  });

  it("leaves no trace where the policy counts nothing", async () => {
    await open();
    await send({ merchantIdScanReference: "order-1" });
    expect(await house.deps.store.purgeSightings(new Date(Date.now() + 86_400_000))).toBe(0);
  });
});
