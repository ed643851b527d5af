import { afterEach, beforeEach, expect, it } from "vitest";
import { type CaptureHarness, openCaptureHarness, openPageOf } from "#support/capture/harness";
import { eventually } from "#support/contract/eventually";

let harness: CaptureHarness;
let endFirst: (result: "pass" | "again") => void;
let isJudged: boolean;

/** The first image is judged until `endFirst`; every other one is accepted at once. */
beforeEach(async () => {
  isJudged = false;
  const { promise, resolve } = Promise.withResolvers<"pass" | "again">();
  endFirst = resolve;
  const judgeDocument = async (image: Uint8Array) => {
    const isFirst = Buffer.from(image).toString() === "first";
    isJudged ||= isFirst;
    const result = isFirst ? await promise : ("pass" as const);
    return { result, guidance: [], measurements: null, models: {}, policyVersion: "test" };
  };
  const judgeFace = () => Promise.reject(new Error("This session takes no face"));
  harness = await openCaptureHarness({ judgeFace, judgeDocumentOf: () => judgeDocument });
});
afterEach(() => harness.close());

it.each(["pass", "again"] as const)(
  "of two images of one side that are judged at once, one is accepted: the other ends with %s",
  async (result) => {
    const page = await openPageOf(harness, {
      steps: ["document"],
      document: { type: "ID_CARD", country: "CHL" },
    });
    await page.consent();
    const first = page.upload("document", Buffer.from("first"), "front");
    await eventually(() => expect(isJudged).toBe(true));
    const second = await page.upload("document", Buffer.from("second"), "front");
    expect(second.body).toMatchObject({ result: "accepted", page: { steps: [{ side: "back" }] } });
    endFirst(result);
    const refused = { status: 409, body: { failure: "capture_step_refused", facts: { side: "back" } } };
    expect(await first).toMatchObject(refused);
    const back = await page.upload("document", Buffer.from("back"), "back");
    expect(back.body).toMatchObject({ result: "accepted", page: { state: "COMPLETED" } });
  },
);
