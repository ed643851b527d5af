import { afterAll, describe, expect, it } from "vitest";
import { decodeBase64 } from "#contract/base64";
import { failuresOf, implement } from "#contract/endpoint";
import { Failure, type FailureCode, failureKinds } from "#contract/failure";
import { idempotencyFailures } from "#contract/idempotency";
import { asInput } from "#contract/input";
import { padDiagnosticRoute } from "#contract/pad.routes";
import { transportFailures } from "#contract/transport-failure";
import { startServer } from "#support/http/harness";
import { drawWithoutFace, imaging, pdf } from "../harness/images.ts";

/** Statuses of the interface for this operation, and those of the service itself. */
const stated = [400, 401, 502, 504];
const ofTheService = [413, 429, 503];

describe("the diagnostic's refusals", () => {
  it("have the interface's statuses and the service's own, and no other of this operation's work", () => {
    const others = failuresOf(padDiagnosticRoute)
      .filter((code) => !(code in transportFailures) && !(code in idempotencyFailures))
      .filter((code) => ![...stated, ...ofTheService].includes(failureKinds[code].status));
    // A defect of the service, an image of the sandbox with a live key, a key without the scope: none is an
    // answer about a person's document.
    expect(others.toSorted()).toEqual(["internal_error", "persona_refused", "scope_missing"]);
  });
});

const open = async (bytes: Uint8Array) => await imaging.open(bytes);
const fields = {
  backSideImage: "QUJD",
  tokenized: false,
  countryCode: "CHL",
  idType: "PASSPORT",
};

describe("an image that cannot be judged", () => {
  const harness = startServer({
    endpoints: [
      implement(padDiagnosticRoute, async ({ request: { frontSideImage } }) => {
        const bytes = decodeBase64("frontSideImage", frontSideImage);
        await asInput("front", () => open(bytes));
        throw new Error("The image was accepted");
      }),
    ],
  });
  afterAll(() => harness.server.app.close());
  const send = async (image: Uint8Array) =>
    await harness.server.app.inject({
      method: "POST",
      url: padDiagnosticRoute.path,
      headers: { "x-api-key": harness.makeKey() },
      payload: { ...fields, frontSideImage: Buffer.from(image).toString("base64") },
    });

  it.each([
    ["a PDF", async () => pdf, "is of a format that is not served"],
    [
      "a cut JPEG",
      async () => (await drawWithoutFace()).subarray(0, 400),
      "could not be decoded as an image",
    ],
  ])("is invalid input: %s", async (_, draw, fault) => {
    const answer = await send(await draw());
    expect(answer.statusCode).toBe(400);
    expect(answer.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(answer.json()).toMatchObject({
      status: 400,
      title: expect.any(String),
      detail: expect.any(String),
      type: expect.stringMatching(/\/errors\/request_invalid$/),
      errors: [`frontSideImage: ${fault}`],
      code: 1402,
    });
  });
});

const ofInputs: readonly FailureCode[] = [
  "image_unreadable",
  "image_unsupported",
  "image_too_large",
  "token_unreadable",
  "token_wrong_kind",
  "token_expired",
];

describe("a failure of an input", () => {
  it.each(ofInputs)("is a wrong field, with its facts: %s", async (code) => {
    const endpoint = implement(padDiagnosticRoute, () =>
      Promise.reject(new Failure(code, { input: "back", sideMin: 16 })),
    );
    const refused = endpoint.handle({
      request: { ...fields, frontSideImage: "QUJD" },
      caller: { tenantId: "t", keyId: "k", environment: "test" },
      transactionId: "x",
      requestId: "r",
      receivedAt: new Date(0),
      signal: new AbortController().signal,
      elapsedMs: () => 0,
    });
    await expect(refused).rejects.toMatchObject({
      code: "request_invalid",
      facts: {
        errors: [expect.stringMatching(/^backSideImage: /)],
        field: "backSideImage",
        sideMin: 16,
        code: code.startsWith("image") ? 1402 : 1104,
      },
    });
  });
});
