import { describe, expect, it } from "vitest";
import { CallError } from "./client.ts";
import { readEvent, splitFrames } from "./events.ts";
import { type Onboarded, outcomeOf } from "./onboard.ts";
import { problemOf } from "./problem.ts";
import { countCall } from "./show-calls.ts";
import { readStory } from "./story.ts";
import { textOf } from "./texts.ts";

describe("calls", () => {
  it("count once while their answer is awaited", () => {
    const call = {
      method: "POST",
      path: "/status",
      body: { scanReference: "s" },
      status: 200,
      answer: {},
      ms: 1,
    } as const;
    const other = { ...call, path: "/data" };
    const counted = [call, call, call, other, call].reduce(countCall, []);
    expect(counted.map(({ call: { path }, times }) => [path, times])).toEqual([
      ["/status", 3],
      ["/data", 1],
      ["/status", 1],
    ]);
  });
});

describe("the outcome", () => {
  it.each([
    ["COMPLETED", "approved", "approved"],
    ["COMPLETED", "rejected", "rejected"],
    ["COMPLETED", "retry", "retry"],
    ["FAILED", "error", "error"],
    ["IN_REVIEW", null, "review"],
    ["PROCESSING", null, "error"],
    [undefined, undefined, "error"],
  ])("of a verification %s with the decision %s is %s", (state, decision, outcome) => {
    expect(outcomeOf({ state, decision })).toBe(outcome);
  });
});

const corners = [
  [90, 81],
  [1190, 104],
  [1190, 879],
  [90, 855],
];

/** Answers and records of a run, shortened. */
const onboarded: Onboarded = {
  outcome: "review",
  ms: 6_700,
  verification: {
    state: "IN_REVIEW",
    decision: null,
    reasons: ["document_unusable"],
    nextStep: "wait_for_review",
    identity: {
      comparison: { result: "Positive", similarity: 0.9865925, fmrAtScore: 0.000001 },
      liveness: { result: "Live" },
    },
    document: {
      code: 9121,
      status: "Review",
      reasonCode: 507,
      document: { number: "F1", validFrom: null },
      person: { firstName: "ANA" },
    },
  },
  extraction: {
    serviceFacialExtractionResult: '{"age":25,"glasses":null,"ageInterval":{"from":20}}',
    faceQuality: {
      score: 99,
      components: [
        { name: "headSize", value: 98 },
        { name: "eyesOpen", value: null },
      ],
    },
  },
  operation: {},
  meshes: { selfie: { points: [[100.5, 120], "no point"] }, portrait: {} },
  records: {
    identity: {
      measurements: {
        bestImage: {
          width: 320,
          height: 400,
          faceWidths: [1],
          face: { box: { x: 61.4, y: 83.7, width: 190, height: 240 }, confidence: 0.82524 },
        },
        reference: { kind: "unreadable" },
        liveness: { assurance: "unsealed", attackScore: 0.0537, cues: { "even-focus": -0.136 } },
      },
    },
    documentValidation: {
      measurements: {
        sides: [{ quality: { width: 1280, height: 960 }, card: { score: 1.39, corners }, zone: null }],
        findings: [
          { name: "expired", holds: false, code: 511, evidence: { isExact: true } },
          { name: "under-age" },
          { name: "check-digits-wrong", holds: true, code: 507, evidence: { count: 1 } },
          { name: "validity-too-long", holds: "unknown", code: 507, evidence: {} },
        ],
      },
    },
  },
};

describe("the story", () => {
  it("has the box of a face, the corners of a document, cues, quality and fields", () => {
    expect(readStory(onboarded)).toMatchObject({
      outcome: "review",
      selfie: {
        width: 320,
        height: 400,
        faces: 1,
        box: { x: 61.4, width: 190 },
        mesh: [[100.5, 120]],
        facts: [["detection", "0.825"]],
      },
      comparison: [
        ["result", "Positive"],
        ["similarity", "0.987"],
        ["falseMatchRate", "0.000001"],
      ],
      liveness: [
        ["result", "Live"],
        ["assurance", "unsealed"],
        ["attackScore", "0.0537"],
      ],
      cues: [{ name: "even-focus", weight: -0.136 }],
      qualityScore: 99,
      quality: [{ name: "headSize", value: 98 }],
      estimates: [["age", "25"]],
      sides: [{ width: 1280, height: 960, corners, facts: [["cardScore", "1.39"]] }],
      fields: [
        ["number", "F1"],
        ["firstName", "ANA"],
      ],
      decision: [
        ["reasons", "document_unusable"],
        ["nextStep", "wait_for_review"],
        ["status", "Review"],
        ["code", "9121"],
        ["reasonCode", "507"],
      ],
    });
    expect(readStory(onboarded).portrait).toBeUndefined();
  });

  it("shows the findings that hold first, with their figures, and those about the person as withheld", () => {
    expect(readStory(onboarded).findings).toEqual([
      { name: "check-digits-wrong", code: 507, holds: "yes", figures: [["count", "1"]] },
      { name: "validity-too-long", code: 507, holds: "unknown", figures: [] },
      { name: "expired", code: 511, holds: "no", figures: [["isExact", "true"]] },
      { name: "under-age", figures: [] },
    ]);
  });

  it("is told of answers without a member that it knows", () => {
    const empty = {
      verification: "no",
      extraction: null,
      operation: [],
      records: {},
      meshes: { selfie: 0, portrait: [] },
    };
    expect(readStory({ ...empty, outcome: "error", ms: 1 })).toMatchObject({
      cues: [],
      sides: [],
      findings: [],
      fields: [],
    });
  });
});

describe("events", () => {
  const message = (source: string) => ({
    receivedAt: "2026-11-26T06:30:02.118Z",
    body: JSON.stringify({
      id: "e-1",
      source,
      sequence: "0000000002",
      type: "com.idem.api.workflows.id_captured.v1",
    }),
    webhook: { holds: true },
    event: { holds: true },
  });

  it("are those of the operation, in frames that arrive in pieces", () => {
    const [mine, other] = ["o-1", "o-2"].map(
      (id) => `data: ${JSON.stringify(message(`/operations/${id}`))}\n\n`,
    );
    const text = `: process p\n\n${other}id: 2\n${mine}data: {"rest`;
    const { messages, rest } = splitFrames(text);
    expect(rest).toBe('data: {"rest');
    expect(messages.map((one) => readEvent(one, "o-1")?.name)).toEqual([undefined, "id_captured"]);
    expect(readEvent(messages[1], "o-1")).toMatchObject({ sequence: 2, isVerified: true });
  });

  it("are not verified where one of their signatures does not hold", () => {
    const forged = { ...message("/operations/o-1"), event: { holds: false } };
    expect(readEvent(forged, "o-1")?.isVerified).toBe(false);
  });
});

describe("problems", () => {
  it.each([
    [new CallError(401, "unauthorized", "Unauthorized"), "problemKey"],
    [new CallError(404, "path_unknown", ""), "problemLive"],
    [new CallError(403, "scope_missing", ""), "problemScope"],
    [new CallError(0, "offline", ""), "problemOffline"],
    [new CallError(504, "unexpected", "Request timed out"), "problemBusy"],
    [new CallError(409, "operation_finished", ""), "problemOther"],
    [new Error("broken"), "problemOther"],
  ])("say what to do: %s", (error, advice) => {
    expect(problemOf(error).advice).toBe(advice);
  });
});

describe("texts", () => {
  it("stand in each language, in the order of the languages", () => {
    expect([textOf("begin", "es"), textOf("begin", "en"), textOf("begin", "pt-BR")]).toEqual([
      "Comenzar",
      "Begin",
      "Começar",
    ]);
  });
});
