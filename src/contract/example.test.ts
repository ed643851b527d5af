import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import { decodeBase64 } from "./base64.ts";
import { implement } from "./endpoint.ts";
import { exampleImage, exampleOf, exampleToken } from "./example.ts";
import { facialAuthenticationNumber } from "./facial-authentication.ts";
import { livenessNumber } from "./liveness.ts";
import { outcomeOf } from "./outcome.ts";
import { routes } from "./routes.ts";
import { verificationCode } from "./verification-code.ts";

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? { ...value } : {};
const wordOf = (table: Readonly<Record<string, number>>, number: unknown) =>
  Object.entries(table).find(([, value]) => value === number)?.[0];

describe("the example of an answer", () => {
  it.each(routes)("of $name matches its schema", (route) => {
    const example = exampleOf(route.response);
    expect([...Compile(route.response).Errors(example)]).toEqual([]);
  });

  it.each(routes)("of $name is consistent: numbers, words and outcome agree", ({ name, response }) => {
    const example = fieldsOf(exampleOf(response));
    const facial = example["facialAuthenticationResult"] ?? example["serviceFacialAuthenticationResult"];
    const facialLog = example["facialAuthenticationLog"] ?? example["serviceFacialAuthenticationLog"];
    const liveness = example["passiveLivenessResult"] ?? example["serviceLivenessResult"];
    const livenessLog =
      example["passiveLivenessLog"] ??
      example["serviceLivenessLog"] ??
      (name.startsWith("evaluatePassiveLiveness") ? example["serviceResultLog"] : undefined);
    if (facialLog !== undefined) expect(facialLog).toBe(wordOf(facialAuthenticationNumber, facial));
    if (livenessLog !== undefined) expect(livenessLog).toBe(wordOf(livenessNumber, liveness));
    if ("outcome" in example) {
      expect(example["outcome"]).toBe(
        outcomeOf({
          ...(facial === 3 && { facial }),
          ...(liveness === 3 && { liveness }),
        }),
      );
    }
    expect([undefined, 3]).toContain(facial);
    expect([undefined, 3]).toContain(liveness);
  });

  it("of a decided validation is an approval with no reason against it", () => {
    for (const { name, response } of routes.filter(({ path }) => path.endsWith("/data"))) {
      const verification = fieldsOf(fieldsOf(exampleOf(response))["verification"]);
      expect(wordOf(verificationCode, verification["code"]), name).toBe(verification["status"]);
      expect(verification).toMatchObject({ status: "Approved", reason: null, reasonCode: null });
      expect(verification["decisionTime"]).toSatisfy(
        (at) => String(at) > String(verification["acceptanceTime"]),
      );
    }
  });
});

describe("the example of a request", () => {
  it.each(routes)("of $name is accepted by the route", async (route) => {
    const reached: unknown[] = [];
    const endpoint = implement(route, async ({ request }) => {
      reached.push(request);
      return {};
    });
    await endpoint.handle({
      request: exampleOf(route.request),
      caller: { tenantId: "t", keyId: "k", environment: "test" },
      transactionId: "x",
      requestId: "r",
      receivedAt: new Date(0),
      signal: new AbortController().signal,
      elapsedMs: () => 0,
    });
    expect(reached).toHaveLength(1);
  });

  it("holds complete Base64", () => {
    expect(decodeBase64("picture", exampleImage)).toHaveLength(75);
    expect(decodeBase64("token", exampleToken("ocr")).subarray(0, 6)).toEqual(
      Buffer.from([0x49, 0x44, 0x4d, 1, 4, 0]),
    );
    for (const route of routes)
      expect(JSON.stringify([route.request, route.response])).not.toMatch(/examples.{0,80}…/);
  });
});
