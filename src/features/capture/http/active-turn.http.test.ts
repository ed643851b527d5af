import { afterAll, beforeAll, expect, it } from "vitest";
import type { TurnDirection } from "#contract/capture";
import { makeJudgeCapture } from "#judging/face/challenge/judge-capture";
import { defaultChallengePolicy } from "#judging/face/challenge/policy";
import { writeContainer } from "#judging/face/challenge/write-container";
import { defaultFacePolicy } from "#judging/face/policy";
import { shapeOf } from "#sandbox/specimen/drawn-person";
import { scanFace } from "#sandbox/specimen/face-scan";
import { type CaptureHarness, jpeg, openCaptureHarness, openPageOf } from "#support/capture/harness";
import { placesOf } from "#support/face/challenge/captures";
import { drawCapture } from "#support/face/challenge/drawn-captures";
import { makeChallengeEngine } from "#support/face/challenge/open-challenge-engine";
import { tokenLimits } from "#support/tokens/open-tokens";
import { makeOpenToken } from "#trust/tokens/open";

const { imaging, measureChallenge } = makeChallengeEngine();
const { liveness, version } = defaultFacePolicy;
const judgeFace = makeJudgeCapture({
  measure: (capture) => measureChallenge(capture),
  policies: { challenge: defaultChallengePolicy, liveness, version },
});
const light = { light: [-0.4, 0.4, 0.9], background: [150, 150, 150] } as const;
const scan = scanFace(shapeOf(1, "F"), { side: 160, ...light, seed: 1 });

let harness: CaptureHarness;
beforeAll(async () => {
  const judgeDocumentOf = () => () => Promise.reject(new Error("This session takes no document"));
  harness = await openCaptureHarness({ judgeFace, judgeDocumentOf });
});
afterAll(() => harness.close());

type Page = Awaited<ReturnType<typeof openPageOf>>;
type Challenge = { readonly id: string; readonly steps: readonly { readonly turn: TurnDirection }[] };

const askChallenge = async (page: Page): Promise<Challenge> =>
  (await harness.byPage(page.token, "POST", "/challenge", {})).body;

/** What a page signs for a challenge, before which a drawn head turns as asked. */
const drawAnswer = async ({ pageKey }: Page, { id, steps }: Challenge) => {
  const rotations = steps.map(({ turn }) => turn);
  const drawn = drawCapture({ scan, kind: "head", rotations, degrees: 18, seed: 107 });
  const jpegs = [
    await imaging.encodeJpeg(drawn.best, 90),
    ...(await Promise.all(drawn.steps.flat().map((frame) => imaging.encodeJpeg(frame, 85)))),
  ];
  const frames = placesOf(rotations.length).map((place, i) => ({ ...place, jpeg: jpegs[i]! }));
  return await writeContainer({ challenge: id, key: pageKey, frames });
};

it("takes a face at active-turn once a head turns as a fresh challenge asks, and gives tokens of that level", async () => {
  const page = await openPageOf(harness, { level: "active-turn" });
  await page.consent();
  const missing = { status: 409, body: { failure: "capture_challenge_missing" } };
  expect(await page.upload("face", await page.container())).toMatchObject(missing);

  const first = await askChallenge(page);
  expect(first.steps).toHaveLength(2);
  const alone = await page.upload("face", await page.container());
  expect(alone.body).toMatchObject({ result: "again", guidance: [], triesLeft: 2 });
  expect(await page.upload("face", await page.container(jpeg(), first.id))).toMatchObject(missing);

  const other = await openPageOf(harness, { level: "active-turn" });
  await other.consent();
  const foreign = await askChallenge(other);
  await askChallenge(page);
  const borrowed = await page.upload("face", await page.container(jpeg(), foreign.id));
  expect(borrowed.body).toMatchObject({ result: "again", guidance: [], triesLeft: 1 });

  // The frames state 4.6 s.
  const asked = await askChallenge(page);
  const answer = await drawAnswer(page, asked);
  harness.clock.aheadMs += 4_600;
  const answered = await page.upload("face", answer);
  expect(answered.body).toMatchObject({ result: "accepted", page: { state: "COMPLETED" } });
  const { steps, results } = (await harness.byKey("GET", `/capture/v1/sessions/${page.sessionId}`)).body;
  expect(steps).toMatchObject([{ name: "face", state: "accepted", level: "active-turn" }]);
  const openToken = await makeOpenToken({ current: harness.tokenKey }, tokenLimits);
  const token = Buffer.from(results.bestImageToken, "base64");
  const caller = { tenantId: harness.tenantId, environment: "test" } as const;
  const receivedAt = new Date(Date.now() + harness.clock.aheadMs);
  const { attestation } = await openToken(token, "best-image", { caller, receivedAt });
  expect(attestation).toMatchObject({ sessionId: page.sessionId, level: "active-turn" });
});

it("refuses a capture that states more time than passed on the service since its challenge", async () => {
  const page = await openPageOf(harness, { level: "active-turn" });
  await page.consent();
  const challenge = await askChallenge(page);
  // Signed as a page signs it, with times that the service's clock did not see.
  const frames = placesOf(challenge.steps.length).map((place, i) => ({
    ...place,
    capturedMs: place.capturedMs + 10_000 * (place.step + 1),
    jpeg: jpeg(`${i}`),
  }));
  const answer = await writeContainer({ challenge: challenge.id, key: page.pageKey, frames });
  expect((await page.upload("face", answer)).body).toMatchObject({
    result: "again",
    guidance: [],
    triesLeft: 2,
  });
});
