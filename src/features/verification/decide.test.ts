import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { facialAuthenticationNumber as facial } from "#contract/facial-authentication";
import { assuranceLevels, livenessNumber as liveness } from "#contract/liveness";
import { verificationFlows, verificationReasons } from "#contract/verification";
import { decide, endBecause, type Findings } from "./decide.ts";
import type { SelfieBasis } from "./judge-one-image.ts";
import type { FaceFinding } from "./verification.ts";

const faceOf = (comparison: number, life: number): FaceFinding => ({
  facial: comparison,
  liveness: life,
  assurance: "advisory",
  similarity: 0.9,
  falseMatchRate: 0.0001,
});
const same = faceOf(facial.Positive, liveness.Live);
const approved = { decision: "approved", reasons: [], nextStep: "none" };

describe("a verification of document and selfie", () => {
  const of = (face: FaceFinding | undefined, document: Findings["document"]) =>
    decide({ flow: "document_and_selfie", face, document });

  it.each([
    ["both pass", same, "Approved", approved],
    [
      "another person",
      faceOf(facial.Negative, liveness.Live),
      "Approved",
      { decision: "rejected", reasons: ["other_person"], nextStep: "none" },
    ],
    [
      "an attack by another person",
      faceOf(facial.Negative, liveness.NoLive),
      "Approved",
      { decision: "rejected", reasons: ["other_person", "not_live"], nextStep: "none" },
    ],
    [
      "an attack beside a document that is no good",
      faceOf(facial.Positive, liveness.NoLive),
      "Resubmission",
      { decision: "rejected", reasons: ["not_live", "document_unusable"], nextStep: "none" },
    ],
    [
      "a declined document",
      same,
      "Declined",
      { decision: "rejected", reasons: ["document_declined"], nextStep: "none" },
    ],
    [
      "an attack while a reviewer has the document",
      faceOf(facial.Positive, liveness.NoLive),
      "Review",
      { decision: "rejected", reasons: ["not_live", "document_in_review"], nextStep: "none" },
    ],
    [
      "a selfie without a face",
      faceOf(facial.NoneBecauseInvalidExtractions, liveness.NoneBecauseFaceNotFound),
      "Approved",
      { decision: "retry", reasons: ["selfie_unusable"], nextStep: "try_again_selfie" },
    ],
    [
      "a selfie with a rotated head",
      faceOf(facial.NoneBecausePoseExceed, liveness.Live),
      "Approved",
      { decision: "retry", reasons: ["selfie_unusable"], nextStep: "try_again_selfie" },
    ],
    [
      "a document without a portrait",
      faceOf(facial.NoneBecauseInvalidExtractions, liveness.Live),
      "Approved",
      { decision: "retry", reasons: ["portrait_unusable"], nextStep: "try_again_document" },
    ],
    [
      "selfie and document that are both no good",
      faceOf(facial.None, liveness.NoneBecauseBadQuality),
      "Resubmission",
      { decision: "retry", reasons: ["selfie_unusable", "document_unusable"], nextStep: "try_again" },
    ],
    [
      "a best image that was used before",
      { refused: "selfie_used" as const },
      "Approved",
      { decision: "retry", reasons: ["selfie_used"], nextStep: "try_again_selfie" },
    ],
    [
      "an engine that broke",
      faceOf(facial.Positive, liveness.NoneBecauseInternalError),
      "Approved",
      { decision: "error", reasons: ["service_error"], nextStep: "try_again" },
    ],
    [
      "a document that could not be analysed",
      same,
      "failed",
      { decision: "error", reasons: ["document_not_decided"], nextStep: "try_again_document" },
    ],
    [
      "a document without a decision in its time",
      same,
      "Expired/Abandoned",
      { decision: "error", reasons: ["document_not_decided"], nextStep: "try_again_document" },
    ],
    [
      "a document that is not kept any more",
      same,
      "gone",
      { decision: "error", reasons: ["document_not_decided"], nextStep: "try_again_document" },
    ],
    ["a reviewer who has the document", same, "Review", "in_review"],
    ["a document that is not decided", same, "Submitted", "waiting"],
    [
      "an attack whose document is not decided",
      faceOf(facial.Positive, liveness.NoLive),
      "Started",
      "waiting",
    ],
    ["a face that is not judged", undefined, "Approved", "waiting"],
  ] as const)("with %s", (_, face, document, expected) => {
    expect(of(face, document)).toEqual(expected);
  });
});

describe("a captured selfie whose liveness rests on one image", () => {
  const basis = { level: "model", isCaptured: true, oneImage: "review" } as const;
  const review = { decision: "review", reasons: ["one_image_liveness"], nextStep: "review_selfie" };
  const of = (selfie: SelfieBasis, document: Findings["document"] = "Approved", face: FaceFinding = same) =>
    decide({ flow: "document_and_selfie", face, selfie, document });

  it.each(assuranceLevels)("at the level %s needs a person where no second image shows one", (level) => {
    const isEnough = level === "multi-frame" || level === "active-turn";
    expect(of({ ...basis, level })).toEqual(isEnough ? approved : review);
  });

  it("needs none where the operator accepts it, or no session of this service took it", () => {
    expect(of({ ...basis, oneImage: "accepted" })).toEqual(approved);
    expect(of({ ...basis, isCaptured: false })).toEqual(approved);
  });

  it("needs a person for a registered user too", () => {
    expect(decide({ flow: "selfie_of_user", face: same, selfie: basis })).toEqual(review);
  });

  it("waits for the document, also for its reviewer, before it needs a person", () => {
    expect(of(basis, "Submitted")).toBe("waiting");
    expect(of(basis, "Review")).toBe("in_review");
  });

  it("stands beside a stronger reason, and beside no finding against the selfie itself", () => {
    expect(of(basis, "Declined")).toEqual({
      decision: "rejected",
      reasons: ["document_declined", "one_image_liveness"],
      nextStep: "none",
    });
    expect(of(basis, "Resubmission")).toEqual({
      decision: "retry",
      reasons: ["document_unusable", "one_image_liveness"],
      nextStep: "try_again_document",
    });
    expect(of(basis, "Approved", faceOf(facial.Positive, liveness.NoLive))).toMatchObject({
      reasons: ["not_live"],
    });
  });
});

describe("the other flows", () => {
  it("decide a document alone, and a user alone", () => {
    expect(decide({ flow: "document", document: "Approved" })).toEqual(approved);
    expect(decide({ flow: "selfie_of_user", face: same })).toEqual(approved);
    expect(decide({ flow: "selfie_of_user", face: faceOf(facial.None, liveness.Live) })).toMatchObject({
      reasons: ["selfie_unusable"],
    });
    expect(decide({ flow: "selfie_of_user", face: { refused: "user_paused" } })).toEqual({
      decision: "error",
      reasons: ["user_paused"],
      nextStep: "try_again",
    });
  });

  it.each([
    ["yes", "Approved", approved],
    ["no", "Approved", { decision: "rejected", reasons: ["under_age"], nextStep: "none" }],
    [
      "unknown",
      "Approved",
      { decision: "retry", reasons: ["birth_date_unread"], nextStep: "try_again_document" },
    ],
    // The age of a document that was not approved is no finding.
    ["unknown", "Declined", { decision: "rejected", reasons: ["document_declined"], nextStep: "none" }],
    ["unknown", "Review", "in_review"],
  ] as const)("decide an age with the answer %s of a document that is %s", (answer, document, expected) => {
    expect(decide({ flow: "age_over", document, age: { answer } })).toEqual(expected);
  });
});

describe("a decision", () => {
  const numbers = (table: Readonly<Record<string, number>>) => fc.constantFrom(...Object.values(table));
  const findings = fc.record({
    flow: fc.constantFrom(...verificationFlows),
    face: fc.oneof(
      fc.constant(undefined),
      fc.tuple(numbers(facial), numbers(liveness)).map(([one, two]) => faceOf(one, two)),
      fc.record({ refused: fc.constantFrom("selfie_used" as const, "user_disabled" as const) }),
    ),
    selfie: fc.option(
      fc.record({
        level: fc.constantFrom(...assuranceLevels),
        isCaptured: fc.boolean(),
        oneImage: fc.constantFrom("review" as const, "accepted" as const),
      }),
      { nil: undefined },
    ),
    document: fc.constantFrom(
      undefined,
      "Started" as const,
      "Approved" as const,
      "Declined" as const,
      "Resubmission" as const,
      "Review" as const,
      "Expired/Abandoned" as const,
      "failed" as const,
    ),
    age: fc.record({ answer: fc.constantFrom("yes" as const, "no" as const, "unknown" as const) }),
  });

  it("approves only where every part of its flow is positive, and gives a reason for any other end", () => {
    fc.assert(
      fc.property(findings, (found) => {
        const decided = decide(found);
        const hasFace = found.flow === "document_and_selfie" || found.flow === "selfie_of_user";
        const { face, selfie } = found;
        const isOneImage =
          selfie?.level === "unsealed" || selfie?.level === "advisory" || selfie?.level === "model";
        const isEnough = !(selfie?.isCaptured === true && selfie.oneImage === "review" && isOneImage);
        const isSame =
          face !== undefined &&
          "facial" in face &&
          face.facial === facial.Positive &&
          face.liveness === liveness.Live;
        const passes =
          (!hasFace || (isSame && isEnough)) &&
          (found.flow === "selfie_of_user" || found.document === "Approved") &&
          (found.flow !== "age_over" || found.age.answer === "yes");
        expect(decided !== "waiting" && decided !== "in_review" && decided.decision === "approved").toBe(
          passes,
        );
        if (decided === "waiting" || decided === "in_review" || passes) return;
        expect(decided.reasons.length).toBeGreaterThan(0);
        expect(decided.reasons).toEqual(
          verificationReasons.filter((reason) => decided.reasons.includes(reason)),
        );
      }),
    );
  });

  it("has an end for every reason", () => {
    for (const reason of verificationReasons) {
      const { decision, reasons, nextStep } = endBecause(reason);
      expect(reasons).toEqual([reason]);
      expect(decision).not.toBe("approved");
      expect(nextStep).not.toBe("wait");
    }
  });
});
