import { describe, expect, it } from "vitest";
import { verificationFlows, verificationStates } from "#contract/verification";
import { endStateOf, isCaptured, isEnd, nextWork, openStateOf, waitingSince } from "./verification-state.ts";

const images = { at: 0 };
const face = { refused: "selfie_used" as const };
const scanReference = "scan";

it("a selfie is captured where a session took it, or attests the token that the caller sent", () => {
  expect(isCaptured({ captureSessionId: "session" })).toBe(true);
  expect(isCaptured({ isAttested: true })).toBe(true);
  expect(isCaptured({})).toBe(false);
});

describe("the work of a verification", () => {
  it("awaits its capture, starts the document, judges the face, then awaits the document", () => {
    const flow = "document_and_selfie" as const;
    expect(nextWork({ flow })).toBe("await-capture");
    expect(nextWork({ flow, images })).toBe("start-document");
    expect(nextWork({ flow, images, scanReference })).toBe("judge-face");
    expect(nextWork({ flow, images, scanReference, face })).toBe("await-document");
  });

  it("leaves out what its flow does not have", () => {
    expect(nextWork({ flow: "selfie_of_user", images })).toBe("judge-face");
    expect(nextWork({ flow: "selfie_of_user", images, face })).toBe("await-document");
    for (const flow of ["document", "age_over"] as const) {
      expect(nextWork({ flow, images })).toBe("start-document");
      expect(nextWork({ flow, images, scanReference })).toBe("await-document");
    }
  });

  it("ends in every flow after as many steps as the flow has", () => {
    const steps = verificationFlows.map((flow) => {
      let content: Parameters<typeof nextWork>[0] = { flow };
      let count = 0;
      for (;;) {
        const work = nextWork(content);
        if (work === "await-document") return count;
        const done =
          work === "await-capture" ? { images } : work === "start-document" ? { scanReference } : { face };
        content = { ...content, ...done };
        count += 1;
      }
    });
    expect(steps).toEqual([3, 2, 2, 2]);
  });
});

describe("the state of a verification", () => {
  it("follows from its images and its review", () => {
    expect(openStateOf({}, false)).toBe("AWAITING_CAPTURE");
    expect(openStateOf({ images }, false)).toBe("PROCESSING");
    expect(openStateOf({ images }, true)).toBe("IN_REVIEW");
  });

  it("has two ends: one of a decision, and one of a verification that judged nothing", () => {
    expect(verificationStates.filter(isEnd)).toEqual(["COMPLETED", "FAILED"]);
    expect((["approved", "rejected", "retry"] as const).map((decision) => endStateOf({ decision }))).toEqual([
      "COMPLETED",
      "COMPLETED",
      "COMPLETED",
    ]);
    expect(endStateOf({ decision: "error" })).toBe("FAILED");
  });

  it("is asked for again after a pause that grows with the wait, to a bound", () => {
    const began = new Date(1_000_000);
    expect(waitingSince(began, new Date(1_003_000), 5_000)).toEqual(began);
    expect(waitingSince(began, new Date(1_005_000), 5_000)).toEqual(began);
    expect(waitingSince(began, new Date(1_005_001), 5_000)).toEqual(new Date(1_000_001));
  });
});
