import { afterEach, beforeEach, expect, it } from "vitest";
import { type CaptureHarness, openCaptureHarness, openPageOf } from "#support/capture/harness";
import { eventually } from "#support/contract/eventually";
import { hashOf } from "#support/imaging/hash-of";

let harness: CaptureHarness;
/** Ends the judgement of an image, by its text. */
let ends: Map<string, () => void>;

/** Every image is judged until the test ends it; the harness judges two at once. */
beforeEach(async () => {
  ends = new Map();
  const judgeDocument = async (image: Uint8Array) => {
    await new Promise<void>((resolve) => ends.set(Buffer.from(image).toString(), resolve));
    return { result: "pass" as const, guidance: [], measurements: null, models: {}, policyVersion: "test" };
  };
  const judgeFace = () => Promise.reject(new Error("This session takes no face"));
  harness = await openCaptureHarness({ judgeFace, judgeDocumentOf: () => judgeDocument });
});
afterEach(() => harness.close());

/** A page whose image, a text, waits for its judgement. */
const openWaiting = async (text: string) => {
  const page = await openPageOf(harness, { steps: ["document"], document: { type: "PASSPORT" } });
  await page.consent();
  const image = Buffer.from(text);
  const finished = page.upload("document", image, "front");
  const show = async () => {
    const sha256 = hashOf(image);
    const announced = { step: "document", side: "front", bytes: image.length, sha256, source: "camera" };
    const { uploadId } = (await harness.byPage(page.token, "POST", "/uploads", announced)).body;
    return (await harness.byPage(page.token, "GET", `/uploads/${uploadId}`)).body;
  };
  return { finished, show };
};

it("shows a page how many captures are judged before its own, and nothing else of them", async () => {
  const first = await openWaiting("first");
  await eventually(() => expect([...ends.keys()]).toEqual(["first"]));
  const second = await openWaiting("second");
  await eventually(() => expect([...ends.keys()]).toEqual(["first", "second"]));
  const third = await openWaiting("third");
  await eventually(async () => expect(await third.show()).toEqual({ offset: 5, ahead: 2 }));
  const fourth = await openWaiting("fourth");
  await eventually(async () => expect(await fourth.show()).toEqual({ offset: 6, ahead: 3 }));
  expect(await first.show()).toEqual({ offset: 5 });
  ends.get("second")?.();
  await second.finished;
  await eventually(() => expect(ends.has("third")).toBe(true));
  expect(await third.show()).toEqual({ offset: 5 });
  expect(await fourth.show()).toEqual({ offset: 6, ahead: 2 });
  for (const text of ["first", "third", "fourth"]) {
    await eventually(() => expect(ends.has(text)).toBe(true));
    ends.get(text)?.();
  }
  const answers = await Promise.all([first, third, fourth].map(({ finished }) => finished));
  expect(answers.map(({ body }) => body.result)).toEqual(["accepted", "accepted", "accepted"]);
});
