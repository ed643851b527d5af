import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, makeClient } from "#cli/kit/service/client";
import { fetchPublishedKeys } from "#cli/kit/service/published-keys";
import { sealToken } from "#trust/tokens/seal";
import { makeFirstTenant } from "../harness/first-tenant.ts";
import { persons, toBase64 } from "../harness/images.ts";
import { runIdem } from "../harness/run-idem.ts";
import { type Harness, makeHarness } from "../harness/service.ts";
import { openTenant } from "../harness/tenant.ts";

/** The settings on best images and open images, each in a whole service on one store (decision 0043). */
let harness: Harness;
let liveKey: string;

beforeAll(async () => {
  harness = await makeHarness();
  const environment = { IDEM_DATA: harness.directory };
  await makeFirstTenant(environment);
  const made = await runIdem(["keys", "create", "--scopes", "all", "--live"], environment);
  liveKey = made.stdout.trim();
});
afterAll(() => harness.clear());

type Started = {
  readonly live: Client;
  readonly seal: () => Promise<string>;
};

const startedOf = async (url: string, key: string): Promise<Started> => {
  const keys = await fetchPublishedKeys(url);
  return {
    live: makeClient(url, key),
    seal: () => sealToken({ keys, kind: "best-image", payload: persons.selfie, now: new Date() }),
  };
};

/** Gives `use` a service with these settings, and ends it. */
const withService = async (
  settings: Readonly<Record<string, string>>,
  use: (started: Started) => Promise<void>,
): Promise<void> => {
  const service = await harness.start(settings);
  await use(await startedOf(service.url, liveKey));
  expect(await service.stop()).toBe(0);
};

const portrait = toBase64(persons.portrait);
const selfie = toBase64(persons.selfie);
const tracked = (operationId: string) => ({ tracking: { operationId } });
const liveness = (client: Client, imageBuffer: string, operationId: string) =>
  client.post("/services/evaluatePassiveLivenessToken", { imageBuffer, ...tracked(operationId) });
const identity = (client: Client, bestImageToken: string, operationId: string) =>
  client.post("/onboarding/v2/identity", {
    method: "3",
    token1: portrait,
    bestImageToken,
    ...tracked(operationId),
  });
const authenticate = (client: Client, bestImageToken: string, operationId: string) =>
  client.post("/services/authenticateUser/v2", {
    userId: "settings",
    merchantReferenceId: "login-1",
    image: portrait,
    bestImageToken,
    ...tracked(operationId),
  });

const approved = { status: 200, body: { outcome: "approved" } };
const replayed = { status: 409, body: { failure: "token_replayed" } };

describe("IDEM_BEST_IMAGE_TOKEN_USES", () => {
  it("once: one call alone, and not even the same request again", async () => {
    await withService({ IDEM_BEST_IMAGE_TOKEN_USES: "once" }, async ({ live, seal }) => {
      const [token, operation] = [await seal(), randomUUID()];
      expect(await liveness(live, token, operation)).toMatchObject(approved);
      expect(await identity(live, token, operation)).toMatchObject(replayed);
      expect(await authenticate(live, token, operation)).toMatchObject(replayed);
      expect(await liveness(live, token, operation)).toMatchObject(replayed);
    });
  });

  it("many: any calls, of several operations and kinds", async () => {
    await withService({ IDEM_BEST_IMAGE_TOKEN_USES: "many" }, async ({ live, seal }) => {
      const [token, first, second] = [await seal(), randomUUID(), randomUUID()];
      const answers = [
        await identity(live, token, first),
        await identity(live, token, first),
        await identity(live, token, second),
        await liveness(live, token, second),
        await authenticate(live, token, second),
      ];
      for (const answer of answers) expect(answer).toMatchObject(approved);
      const ids = answers
        .slice(0, 3)
        .map(({ body }) => JSON.stringify(body).match(/TransactionId":"([^"]+)/)?.[1]);
      expect(new Set(ids).size, "each call is judged anew").toBe(3);
    });
  });
});

describe("the defaults", () => {
  it("IDEM_BEST_IMAGE_TOKEN_USES=operation: one call of each kind, and an equal request gets the stored answer; IDEM_OPEN_IMAGES=refused: a live key needs a token", async () => {
    const tenant = await openTenant();
    const { live, seal } = await startedOf(tenant.url, await tenant.makeLiveKey());
    const [token, operation] = [await seal(), randomUUID()];
    const first = await identity(live, token, operation);
    expect(first).toMatchObject(approved);
    expect(await liveness(live, token, operation)).toMatchObject(approved);
    expect((await identity(live, token, operation)).body).toEqual(first.body);
    expect(await identity(live, token, randomUUID())).toMatchObject(replayed);

    const open = await identity(live, selfie, randomUUID());
    expect(open).toMatchObject({ status: 422, body: { failure: "token_unreadable" } });
  });
});

describe("IDEM_OPEN_IMAGES", () => {
  it("accepted: a live key may send an image, which is used up as a token is", async () => {
    await withService({ IDEM_OPEN_IMAGES: "accepted" }, async ({ live }) => {
      const operation = randomUUID();
      expect(await liveness(live, selfie, operation)).toMatchObject(approved);
      expect(await identity(live, selfie, operation)).toMatchObject(approved);
      expect(await identity(live, selfie, randomUUID())).toMatchObject(replayed);
    });
  });
});
