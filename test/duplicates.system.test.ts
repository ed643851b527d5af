import { afterEach, beforeEach, expect, it } from "vitest";
import { makeClient } from "#cli/kit/service/client";
import { onboard } from "#cli/kit/service/onboarding";
import { fetchPublishedKeys } from "#cli/kit/service/published-keys";
import { sealToken } from "#trust/tokens/seal";
import { drawCases, persons, toBase64 } from "./harness/images.ts";
import { type Harness, makeHarness, untilReady } from "./harness/service.ts";

let harness: Harness;
beforeEach(async () => {
  harness = await makeHarness();
});
afterEach(() => harness.clear());

const openHarness = async (duplicates: "off" | "refuse") => {
  const service = await harness.start({ IDEM_DUPLICATES: duplicates });
  const client = makeClient(service.url, service.apiKey);
  const keys = await fetchPublishedKeys(service.url);
  const firstCall = async (userId: string) =>
    await client.post("/services/authenticateUser/v2", {
      userId,
      merchantReferenceId: "login-1",
      image: toBase64(persons.portrait),
      bestImageToken: await sealToken({ keys, kind: "best-image", payload: persons.selfie, now: new Date() }),
    });
  return { service, client, keys, firstCall };
};

it("matches a registered face after a restart, at an enrolment and on a document", {
  timeout: 300_000,
}, async () => {
  const { genuine } = await drawCases();
  const first = await openHarness("off");
  expect(await first.firstCall("user-1")).toMatchObject({ body: { serviceResultCode: 0 } });
  expect((await onboard(first.client, first.keys, genuine!)).verification.code).toBe(9001);
  await first.service.stop();

  const second = await openHarness("refuse");
  await untilReady(second.service.url);
  expect(await second.firstCall("user-2")).toMatchObject({
    status: 200,
    body: { serviceResultCode: -100, enrolmentRefusal: "ALREADY_REGISTERED", outcome: "rejected" },
  });
  const { verification } = await onboard(second.client, second.keys, genuine!);
  expect(verification).toMatchObject({ code: 9121, reasonCode: 108 });
  expect(verification).toHaveProperty("additionalReasonCodes", expect.arrayContaining([124]));
  await second.service.stop();
});
