import { describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { makeAddressLimit } from "./address-limit.ts";
import { standardLimits } from "./options.ts";
import { startServer } from "./testing/harness.ts";

describe("the budget of an address", () => {
  it.each(["wrongKeys", "wrongLinks", "mailboxLoads"] as const)("of %s ends with its burst", (name) => {
    const limit = makeAddressLimit(standardLimits[name], () => new Date(0));
    for (let n = 1; n <= standardLimits[name].burst; n++) limit.take("192.0.2.1");
    expect(() => limit.take("192.0.2.1")).toThrow(Failure);
    limit.take("192.0.2.2");
  });

  it("comes back with time, one unit after its second and not before", () => {
    let ms = 0;
    const limit = makeAddressLimit({ perSecond: 1, burst: 1 }, () => new Date(ms));
    limit.take("192.0.2.1");
    ms = 999;
    expect(() => limit.take("192.0.2.1")).toThrow(Failure);
    ms = 1_000;
    limit.take("192.0.2.1");
  });
});

describe("links to images", () => {
  const image = { contentType: "image/png", bytes: new Uint8Array([1, 2]) };
  const open = (failure: "not_found" | "store_unavailable") =>
    startServer({
      limits: { wrongLinks: { perSecond: 0.1, burst: 3 } },
      readAsset: async ({ id }) => {
        if (id !== "good") throw new Failure(failure);
        return image;
      },
    });
  const get = async ({ server }: ReturnType<typeof open>, id: string, remoteAddress = "192.0.2.1") =>
    await server.app.inject({ url: `/assets/${id}`, remoteAddress });

  it("that do not work are answered 404 up to the budget of their address, and 429 above it", async () => {
    const harness = open("not_found");
    const statuses: number[] = [];
    for (let n = 1; n <= 4; n++) statuses.push((await get(harness, "wrong")).statusCode);
    expect(statuses).toEqual([404, 404, 404, 429]);
    expect((await get(harness, "wrong")).headers["retry-after"]).toBe("10");
    expect((await get(harness, "wrong", "192.0.2.2")).statusCode).toBe(404);
  });

  it("that work are served behind an address without a budget, and take nothing of it", async () => {
    const harness = open("not_found");
    for (let n = 1; n <= 5; n++) expect((await get(harness, "good")).statusCode).toBe(200);
    for (let n = 1; n <= 4; n++) await get(harness, "wrong");
    expect((await get(harness, "good")).statusCode).toBe(200);
  });

  it("that an outage stops take nothing of the budget", async () => {
    const harness = open("store_unavailable");
    for (let n = 1; n <= 5; n++) expect((await get(harness, "wrong")).statusCode).toBe(503);
  });
});

describe("the page of the mailbox", () => {
  it("is served to an address up to its budget with its script, and refused above it", async () => {
    const { server } = startServer({
      limits: { mailboxLoads: { perSecond: 0.1, burst: 2 } },
      mailbox: { admit: () => undefined, follow: async function* () {} },
    });
    const get = async (url: string, remoteAddress = "192.0.2.1") =>
      (await server.app.inject({ url, remoteAddress })).statusCode;
    expect([await get("/mailbox"), await get("/mailbox/page.js")]).toEqual([200, 200]);
    expect([await get("/mailbox"), await get("/mailbox/page.js")]).toEqual([429, 429]);
    expect(await get("/mailbox", "192.0.2.2")).toBe(200);
  });
});
