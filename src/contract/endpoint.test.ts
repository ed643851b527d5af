import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { failuresOf, implement, type Route, route } from "./endpoint.ts";
import { Failure } from "./failure.ts";
import { wrong } from "./request.ts";

const stated = {
  name: "stated",
  method: "POST",
  path: "/stated",
  scope: "face",
  summary: "",
  tag: "",
  request: Type.Object({
    name: Type.String(),
    count: Type.Integer({ maximum: 9 }),
    list: Type.Optional(Type.Array(Type.Integer(), { maxItems: 2 })),
  }),
  response: Type.Object({}),
  failures: ["image_unreadable"],
} as const satisfies Route;

const ofRule =
  (field: string): NonNullable<Route["rules"]> =>
  () => [wrong(field, "breaks the rule")];

/** What a route answers a request with: the facts of its refusal, or the request as the handler sees it. */
const answerTo = async (request: unknown, change: Partial<Route> = {}): Promise<unknown> => {
  const endpoint = implement(route({ ...stated, ...change }), async (call) => ({ seen: call.request }));
  try {
    return await endpoint.handle({
      request,
      caller: { tenantId: "t", keyId: "k", environment: "test" },
      transactionId: "x",
      requestId: "r",
      receivedAt: new Date(0),
      signal: new AbortController().signal,
      elapsedMs: () => 0,
    });
  } catch (error) {
    return error instanceof Failure ? error.facts : error;
  }
};

describe("a request that a route refuses", () => {
  it("is reported as incomplete (1102) where any field is absent, else by its first fault", async () => {
    expect(await answerTo({ count: 10 })).toMatchObject({ code: 1102 });
    expect(await answerTo({ name: "a", count: 10 })).toEqual({ errors: ["count: must be <= 9"], code: 1104 });
    const coded = { rules: () => [wrong("name", "is unknown", 2103), wrong("count", "is odd")] };
    expect(await answerTo({ name: "a", count: 1 }, coded)).toEqual({
      errors: ["name: is unknown", "count: is odd"],
      code: 2103,
    });
  });

  it("has no second fault by a rule for a field that the schema refused", async () => {
    const request = { name: "a", count: 10 };
    expect(await answerTo(request, { rules: ofRule("count") })).toMatchObject({
      errors: ["count: must be <= 9"],
    });
    expect(await answerTo(request, { rules: ofRule("name") })).toMatchObject({
      errors: ["count: must be <= 9", "name: breaks the rule"],
    });
  });

  it("has one fault for a list with too many items, beside those of other fields", async () => {
    const request = { name: "a", count: 10, list: ["x", "y", "z"] };
    expect(await answerTo(request)).toMatchObject({
      errors: ["list: must not have more than 2 items", "count: must be <= 9"],
    });
  });

  it("is refused for a list with too many items alone, which the schema's own check does not see", async () => {
    expect(await answerTo({ name: "a", count: 1, list: [1, 2, 3] })).toEqual({
      errors: ["list: must not have more than 2 items"],
      code: 1104,
    });
    expect(await answerTo({ name: "a", count: 1, list: [1, 2] })).toHaveProperty("seen");
  });

  it("is refused, and breaks no rule that reads a field, whatever its body is", async () => {
    const rules: NonNullable<Route["rules"]> = ({ name }) =>
      name === undefined ? [] : [wrong("name", "is given")];
    for (const body of [null, "text", 3, [], [{ name: "a" }]]) {
      expect(await answerTo(body, { rules })).toMatchObject({ errors: ["must be an object"] });
    }
  });

  it("is refused by a rule alone too, and a sound one reaches the handler", async () => {
    const request = { name: "a", count: 9 };
    expect(await answerTo(request, { rules: ofRule("name") })).toMatchObject({
      errors: ["name: breaks the rule"],
    });
    expect(await answerTo({ ...request, other: 1 }, { rules: () => [] })).toEqual({ seen: request });
  });

  it("names no field where the body itself is wrong", async () => {
    expect(await answerTo("text")).toMatchObject({ errors: ["must be an object"] });
  });
});

describe("the failures of a route", () => {
  it("hold the common ones and its own, and what a POST, an image or an operation adds", () => {
    const addedBy = (change: Partial<Route>) => {
      const found = failuresOf({ ...stated, ...change });
      return ["persona_refused", "idempotency_key_reused", "operation_finished"].filter((code) =>
        found.some((one) => one === code),
      );
    };
    expect(failuresOf(stated)).toEqual(expect.arrayContaining(["internal_error", "image_unreadable"]));
    expect(addedBy({})).toEqual(["persona_refused", "idempotency_key_reused"]);
    expect(addedBy({ scope: "webhook" })).toEqual(["idempotency_key_reused"]);
    expect(addedBy({ method: "GET" })).toEqual([]);
    for (const name of ["tracking", "operationId", "extraData"]) {
      const request = Type.Object({ [name]: Type.String() });
      expect(addedBy({ method: "GET", request })).toEqual(["operation_finished"]);
    }
  });
});
