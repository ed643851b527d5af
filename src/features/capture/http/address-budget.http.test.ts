import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeJudgeCapture } from "#judging/face/challenge/judge-capture";
import { defaultChallengePolicy } from "#judging/face/challenge/policy";
import { defaultFacePolicy } from "#judging/face/policy";
import {
  bankOrigin,
  type CaptureHarness,
  jpeg,
  openCaptureHarness,
  openPageOf,
} from "#support/capture/harness";
import { goodImage } from "#support/face/measured";
import { type CapturePolicy, defaultCapturePolicy } from "../policy.ts";

/** An engine that finds a good face: containers and signatures are read and judged as they are. */
const judgeFace = makeJudgeCapture({
  measure: () =>
    Promise.resolve({ best: { ...goodImage, template: new Uint8Array(64) }, steps: [], models: {} }),
  policies: { challenge: defaultChallengePolicy, liveness: defaultFacePolicy.liveness, version: "face-test" },
});
/** Less than a service gives an address: each refusal is five calls. */
const policy: CapturePolicy = { ...defaultCapturePolicy, addressFailuresMax: 12 };
const shared = "198.51.100.7";
const paused = { status: 429, body: { failure: "capture_paused" } };

let harness: CaptureHarness;
/** A page of its own, which signs what others send. */
let signer: Page;
const open = async (under = policy): Promise<void> => {
  const judgeDocumentOf = () => () => Promise.reject(new Error("These sessions take no document"));
  harness = await openCaptureHarness({ judgeFace, judgeDocumentOf }, { policy: under });
  harness.network.address = shared;
  signer = await openPageOf(harness);
};
beforeEach(() => open());
afterEach(() => harness.close());

const openConsented = async (asked: Readonly<Record<string, unknown>> = {}) => {
  const page = await openPageOf(harness, asked);
  await page.consent();
  return page;
};

type Page = Awaited<ReturnType<typeof openPageOf>>;

let foreign = 0;
/** A container that another page signed: it speaks of an attack. */
const attack = async (page: Page) =>
  await page.upload("face", await signer.container(jpeg(`attack ${foreign++}`)));

/** So many refusals of this address, by sessions of their own. */
const attackTimes = async (times: number): Promise<void> => {
  for (let left = times; left > 0; ) {
    const page = await openConsented();
    for (let tries = 0; tries < 3 && left > 0; tries++, left--) {
      expect((await attack(page)).body).toMatchObject({ result: expect.stringMatching(/again|failed/) });
    }
  }
};

const capture = async (page: Page) => await page.upload("face", await page.container());

describe("refusals that speak of an attack", () => {
  it("of one person pause no other person behind the same address, however many they are", async () => {
    await harness.close();
    await open(defaultCapturePolicy);
    await attackTimes(defaultCapturePolicy.addressFailuresMax);
    for (let n = 0; n < 3; n++) await attackTimes(1);
    const innocent = await openConsented({ customerId: "innocent" });
    expect((await capture(innocent)).body).toMatchObject({ result: "accepted" });
  }, 60_000);

  it("pause their customer first, wherever the next session comes from", async () => {
    const customer = { customerId: "customer-1" };
    for (const tries of [3, 2]) {
      const page = await openConsented(customer);
      for (let n = 0; n < tries; n++) await attack(page);
    }
    harness.network.address = "203.0.113.9";
    const asked = { steps: ["face"], origin: bankOrigin, ...customer };
    expect(await harness.byKey("POST", "/capture/v1/sessions", asked)).toMatchObject(paused);
  });

  it("pause their page key in every session that it binds", async () => {
    const first = await openConsented();
    for (let n = 0; n < 3; n++) await attack(first);
    const sessions = await Promise.all([openConsented(), openConsented()]);
    const key = { pageKey: first.pageKey.publicKey, takeOver: true };
    const [second, third] = sessions;
    for (const page of sessions) await harness.byPage(page.token, "POST", "/open", key);
    for (let n = 0; n < 2; n++) await attack(second);
    expect(await attack(third)).toMatchObject(paused);
    // A page with a key of its own is not paused by them.
    expect((await capture(await openConsented())).body).toMatchObject({ result: "accepted" });
  });

  it("leave a session with a refusal of its own to the budget of its address, which ends with its last", async () => {
    await attackTimes(policy.addressFailuresMax - 2);
    const page = await openConsented();
    await attack(page);
    const other = await openConsented();
    expect((await attack(other)).status).toBe(200);
    // The budget is spent: a session that was refused before waits here, and at another address does not.
    expect(await attack(page)).toMatchObject(paused);
    expect(Number((await attack(page)).headers["retry-after"])).toBeLessThanOrEqual(1_800);
    harness.network.address = "203.0.113.9";
    expect((await capture(page)).body).toMatchObject({ result: "accepted" });
  }, 60_000);

  it("are given back by good captures of the address, one by each, and end with their time", async () => {
    await attackTimes(policy.addressFailuresMax - 1);
    const [first, second] = [await openConsented(), await openConsented()];
    await attack(first);
    expect(await attack(first)).toMatchObject(paused);
    await capture(await openConsented());
    expect((await attack(first)).status).toBe(200);
    expect(await attack(first)).toMatchObject(paused);
    harness.clock.aheadMs = policy.addressWindowMs + 1_000;
    expect((await openPageOf(harness)).token).toBeDefined();
    expect(second.token).toBeDefined();
  }, 60_000);

  it("count against no address that may be a proxy's", async () => {
    harness.network.address = "10.0.0.1";
    await attackTimes(policy.addressFailuresMax);
    const page = await openConsented();
    await attack(page);
    expect((await capture(page)).body).toMatchObject({ result: "accepted" });
    expect(harness.lines.filter((line) => line.includes("IDEM_TRUSTED_PROXIES"))).toHaveLength(1);
    expect(harness.lines.join()).not.toContain("10.0.0.1");
  }, 60_000);
});
