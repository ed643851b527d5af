import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { EncodedBytes } from "#contract/base64";
import { implement } from "#contract/endpoint";
import { routes } from "#contract/routes";
import { trackingReasons } from "#contract/tracking-code";
import { startServer } from "#support/http/harness";
import { exampleFor, startContract } from "./contract-server.ts";

const { call, close } = startContract();
afterAll(close);

const jwt = [{ alg: "HS256" }, { op: 1, sub: "a".repeat(40) }, "signature"]
  .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
  .join(".");

const tracked = routes.filter(({ request }) => JSON.stringify(request).includes('"tracking":'));

/** Tokens of other SDKs; the last two are longer than a text that stays a text in the body. */
const tokens = [jwt, "no Base64 !", "====", "{}", "\u0000", "ñ😀", `${jwt}.`.repeat(200), "A".repeat(80_000)];

describe("tracking of any SDK", () => {
  it("is taken by most operations", () => {
    expect(tracked.length).toBeGreaterThanOrEqual(10);
  });

  it.each(tracked)("stops no call: $name", async (route) => {
    for (const extraData of tokens) {
      const { status } = await call(route, {
        ...exampleFor(route),
        tracking: { extraData, operationId: "ñ/ op" },
      });
      expect(status, extraData.slice(0, 20)).toBe(200);
    }
  });

  it("stops no call, whatever text it is", async () => {
    const places = fc.constantFrom(
      (text: string) => ({ tracking: { extraData: text } }),
      (text: string) => ({ extraData: text }),
    );
    const route = routes.find(({ name }) => name === "updateUserTemplate")!;
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), places, async (text, place) => {
        expect((await call(route, { ...exampleFor(route), ...place(text) })).status).toBe(200);
      }),
      { numRuns: 50 },
    );
  });

  it("reaches the handler as it was sent, and a long token in Base64 by its bytes", async () => {
    const seen: unknown[] = [];
    const route = routes.find(({ name }) => name === "identity")!;
    const harness = startServer({
      endpoints: [
        implement(route, async ({ tracking }) => {
          seen.push(tracking?.extraData);
          return {};
        }),
      ],
    });
    const long = Buffer.alloc(30_000, "idem");
    for (const extraData of [jwt, long.toString("base64")]) {
      await harness.server.app.inject({
        method: "POST",
        url: route.path,
        headers: { "x-api-key": harness.makeKey() },
        payload: { ...exampleFor(route), tracking: { extraData } },
      });
    }
    await harness.server.app.close();
    expect(seen[0]).toBe(jwt);
    const [, kept] = seen;
    expect(kept instanceof EncodedBytes && Buffer.from(kept.decoding.bytes ?? []).equals(long)).toBe(true);
  });
});

describe("the end of an operation", () => {
  const route = routes.find(({ name }) => name === "finishTracking")!;
  const good = { family: "OnBoarding", status: "SUCCEEDED", reason: "", extraData: jwt };

  it("takes any token, both spellings of the family, and a success without a reason", async () => {
    for (const change of [
      {},
      { family: "Onboarding" },
      { family: "Authentication" },
      { reason: null },
      { reason: undefined },
    ]) {
      expect((await call(route, { ...good, ...change })).status, JSON.stringify(change)).toBe(200);
    }
    for (const reason of trackingReasons) expect((await call(route, { ...good, reason })).status).toBe(200);
  });

  it("asks for its required fields", async () => {
    for (const name of ["family", "status", "extraData"]) {
      const { status, body } = await call(route, { ...good, [name]: null });
      expect([status, JSON.parse(body).errors]).toEqual([400, [`${name}: is required`]]);
    }
  });

  it("is refused for no token's kind, age or form", () => {
    expect(route.failures.filter((code) => code.startsWith("token"))).toEqual([]);
  });
});
