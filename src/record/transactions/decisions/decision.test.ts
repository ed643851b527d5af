import { describe, expect, it } from "vitest";
import type { Json } from "#contract/json";
import { holderReasons } from "#contract/reason-code";
import { decisionOf } from "./decision.ts";

const subject = "7a9d3c52-4b8e-4c1f-9a56-0e2f6d7b8c90";

const callOf = (endpoint: string, result: Json) =>
  ({
    id: "2db602ee-3564-4304-af95-92a52eaae12d",
    at: new Date(1000),
    environment: "live",
    endpoint,
    result,
    policyVersion: "face-9",
  }) as const;

describe("the decision of a call", () => {
  it("holds kind, transaction, time, environment and policy, and every other field as absent", () => {
    expect(decisionOf(callOf("finishTracking", { state: "SUCCEEDED", reason: "" }))).toStrictEqual({
      at: new Date(1000),
      environment: "live",
      kind: "finishTracking",
      transactionId: "2db602ee-3564-4304-af95-92a52eaae12d",
      subject: undefined,
      attempt: undefined,
      decision: "SUCCEEDED",
      code: undefined,
      reasons: [],
      facial: undefined,
      liveness: undefined,
      fields: undefined,
      policyVersion: "face-9",
    });
  });

  it.each<[string, Json, object]>([
    ["identity", { facial: 3, liveness: 3 }, { decision: "approved", facial: "Positive", liveness: "Live" }],
    ["identity", { facial: 1, liveness: 3 }, { decision: "rejected", facial: "Negative" }],
    ["authenticateFacial", { facial: 2 }, { decision: "retry", facial: "Uncertain", liveness: undefined }],
    ["evaluatePassiveLivenessToken", { liveness: 17 }, { decision: "rejected", liveness: "NoLive" }],
    [
      "authenticateUser",
      { code: -102, facial: 1, liveness: 3 },
      { decision: "templatesDiffer", code: -102, facial: "Negative", liveness: "Live" },
    ],
    [
      "authenticateUserV2",
      { code: -100, refusal: "ALREADY_REGISTERED", facial: 0, liveness: 3 },
      { decision: "templateOfAnotherUser", reasons: ["ALREADY_REGISTERED"] },
    ],
    ["updateUserTemplate", { code: 0 }, { decision: "updated", code: 0 }],
    [
      "documentValidation",
      { scanReference: subject, attempt: 2, code: 9103, reasonCode: 204, others: [614] },
      { decision: "Resubmission", code: 9103, reasons: [204, 614], subject, attempt: 2 },
    ],
    [
      "documentValidation",
      { scanReference: subject, attempt: 1, code: 9104, decision: "Expired" },
      { decision: "Expired", code: 9104, reasons: [] },
    ],
    ["documentReview", { scanReference: subject, attempt: 1, code: 9001 }, { decision: "Approved", subject }],
    [
      "padDiagnostic",
      { decision: "Spoof", reasons: ["SECURITY_DATA_CHECK"], isQualitySufficient: true },
      { decision: "Spoof", reasons: ["SECURITY_DATA_CHECK"] },
    ],
    [
      "civilValidation",
      { operation: "1", country: "PER", registry: "person", data: { lastName: "0", city: "4" }, facial: 3 },
      { decision: "person", facial: "Positive", fields: { lastName: "agrees", city: "notHeld" } },
    ],
    [
      "captureStep",
      { sessionId: subject, step: "face", result: "again", state: "OPEN" },
      { decision: "again", subject },
    ],
    [
      "verification",
      { verificationId: subject, flow: "document", state: "COMPLETED", decision: "approved", reasons: [] },
      { decision: "approved", subject },
    ],
    [
      "expiry",
      { state: "EXPIRED", reason: "NO_FURTHER_CALL" },
      { decision: "EXPIRED", reasons: ["NO_FURTHER_CALL"] },
    ],
  ])("%s is read from %j", (endpoint, result, expected) => {
    expect(decisionOf(callOf(endpoint, result))).toMatchObject(expected);
  });

  it.each<[string, Json]>([
    ["detokenize", { opened: subject }],
    ["extractDocumentData", { fields: 9 }],
    ["identity", { refused: "persona" }],
    ["identity", null],
    ["documentValidation", { code: 1 }],
    ["toString", { facial: 3 }],
  ])("is absent in %s with %j", (endpoint, result) => {
    expect(decisionOf(callOf(endpoint, result))).toBeUndefined();
  });

  it("holds no reason that concerns the holder", () => {
    const document = { code: 9102, reasonCode: holderReasons[0]!, others: [...holderReasons, 614] };
    expect(decisionOf(callOf("documentValidation", document))?.reasons).toEqual([614]);
    const verification = { state: "COMPLETED", decision: "rejected", reasons: ["under_age", "not_live"] };
    expect(decisionOf(callOf("verification", verification))?.reasons).toEqual(["not_live"]);
  });

  it("holds no text that the interface does not know", () => {
    const name = "Zoë Quill";
    const results: Record<string, Json> = {
      identity: { facial: 3, app: name },
      documentValidation: {
        scanReference: name,
        code: 9001,
        decision: name,
        reasonCode: name,
        others: [name],
      },
      authenticateUser: { code: 0, refusal: name },
      padDiagnostic: { decision: "Doubtful", reasons: [name] },
      civilValidation: { registry: "person", data: { lastName: name, [name]: "0" } },
      verification: { verificationId: name, decision: name, state: "COMPLETED", reasons: [name] },
      finishTracking: { state: "DENIED", reason: name },
    };
    for (const [endpoint, result] of Object.entries(results)) {
      const decision = decisionOf(callOf(endpoint, result));
      expect(decision, endpoint).toBeDefined();
      expect(JSON.stringify(decision), endpoint).not.toContain(name);
    }
  });
});
