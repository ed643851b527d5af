import { afterEach, beforeEach, expect, it } from "vitest";
import { makeClient } from "../src/cli/client.ts";
import { onboard } from "../src/cli/onboarding.ts";
import { fetchPublishedKeys } from "../src/cli/tokens.ts";
import { sealToken } from "../src/tokens/seal.ts";
import { drawCases, persons, toBase64 } from "./harness/pictures.ts";
import { type House, makeHouse, untilReady } from "./harness/service.ts";

let house: House;
beforeEach(async () => {
  house = await makeHouse();
});
afterEach(() => house.clear());

const openHouse = async (duplicates: "off" | "refuse") => {
  const service = await house.start({ IDEM_DUPLICATES: duplicates });
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

it("finds a registered face after a new start, at an enrolment and on a document", {
  timeout: 300_000,
}, async () => {
  const { genuine } = await drawCases();
  const first = await openHouse("off");
  expect(await first.firstCall("user-1")).toMatchObject({ body: { serviceResultCode: 0 } });
  expect((await onboard(first.client, first.keys, genuine!)).verification.code).toBe(9001);
  await first.service.stop();

  const second = await openHouse("refuse");
  await untilReady(second.service.url);
  expect(await second.firstCall("user-2")).toMatchObject({
    status: 200,
    body: { serviceResultCode: -100, enrolmentRefusal: "ALREADY_REGISTERED", outcome: "rejected" },
  });
  const { verification } = await onboard(second.client, second.keys, genuine!);
  expect(verification).toMatchObject({ code: 9121, reasonCode: 124 });
  await second.service.stop();
});
