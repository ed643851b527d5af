import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { type Call, implement, route } from "./endpoint.ts";
import type { Tracking } from "./tracking.ts";
import { tracking } from "./wire.ts";

const stated = {
  name: "tracked",
  method: "POST",
  path: "/tracked",
  scope: "face",
  summary: "",
  tag: "",
  response: Type.Object({}),
  failures: [],
} as const;

const callOf = (request: unknown): Call<unknown> => ({
  request,
  caller: { tenantId: "t", keyId: "k", environment: "test" },
  transactionId: "x",
  requestId: "r",
  receivedAt: new Date(0),
  signal: new AbortController().signal,
  elapsedMs: () => 0,
});

/** What the handler of a route sees of a request's tracking. */
const handedOn = async (
  request: unknown,
  fields: Parameters<typeof Type.Object>[0] = { tracking: Type.Optional(tracking) },
): Promise<Tracking | undefined> => {
  const seen: Call<unknown>[] = [];
  const endpoint = implement(route({ ...stated, request: Type.Object(fields) }), async (call) => {
    seen.push(call);
    return {};
  });
  await endpoint.handle(callOf(request));
  expect(seen).toHaveLength(1);
  return seen[0]?.tracking;
};

const both = { extraData: "QUJD", operationId: "op-1" };

describe("tracking", () => {
  it("reaches the handler, whatever is sent beside it", async () => {
    expect(await handedOn({ tracking: { ...both, other: 1 } })).toEqual(both);
    expect(await handedOn({ tracking: { operationId: "op-1" } })).toEqual({ operationId: "op-1" });
  });

  it("is absent where nothing was given", async () => {
    for (const request of [{}, { tracking: {} }, { tracking: { extraData: "" } }])
      expect(await handedOn(request)).toBeUndefined();
  });

  it("is absent where the route takes none", async () => {
    expect(await handedOn({ tracking: both, ...both }, {})).toBeUndefined();
  });

  it("is taken from beside the other fields where the route names it there", async () => {
    const fields = { extraData: Type.Optional(Type.String()), tracking: Type.Optional(tracking) };
    expect(await handedOn({ extraData: "QUJD" }, fields)).toEqual({ extraData: "QUJD" });
    expect(await handedOn({ extraData: "REVG", tracking: both }, fields)).toEqual(both);
  });

  it("is any text: what it holds stops no call", async () => {
    for (const extraData of [
      "eyJhbGciOiJIUzI1NiJ9.eyJvcCI6MX0.c2ln",
      "no Base64 !",
      "\u0000ñ",
      "=".repeat(9000),
    ])
      expect(await handedOn({ tracking: { extraData } })).toEqual({ extraData });
  });

  it("does not reach the handler of a refused request", async () => {
    await expect(handedOn({ tracking: { extraData: 5 } })).rejects.toMatchObject({
      code: "request_invalid",
    });
  });
});
