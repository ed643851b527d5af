import { Type } from "typebox";
import { validationRecord } from "./document-validation.routes.ts";
import { type Route, route } from "./endpoint.ts";
import type { FailureCode } from "./failure.ts";
import { imageTypes } from "./image-type.ts";
import { missing, type RequestFault, wrong } from "./request.ts";
import { isGiven } from "./request-rule.ts";
import { base64, choice, nullableText, responseTime, text, time } from "./wire.ts";

const tag = "Review";

const beyond = "Beyond the interface, for a console of the operator.";

const scanReference = text("The validation that waits for a review.", {
  "x-name": "ReviewedScanReference",
  maxLength: 128,
  examples: ["6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a"],
});
const timestamp = responseTime;
const named = Type.Object({ scanReference });
const base = "/operator/reviews";

const heldFailures = ["not_found", "review_decided", "review_not_held"] as const satisfies FailureCode[];

const until = (description: string) =>
  Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
    description,
    examples: ["2026-11-21T09:45:00.000Z"],
  });

/** GET /operator/reviews */
export const listReviewsRoute = route({
  name: "listReviews",
  method: "GET",
  path: base,
  scope: "review",
  tag,
  cost: 2,
  summary: "Lists the documents that wait for a review, the oldest first",
  description:
    `${beyond} It holds no data of the holder: only the reviewer who claimed a review sees them. A ` +
    "`reasonCode` that is null beside a `country` means that the reason concerns the holder, or is a provider's own: " +
    "it is not shown. `country`, `idType` and `reasonCode` are null where the stored data cannot be opened.",
  request: Type.Object({
    after: Type.Optional(
      Type.String({ description: "`next` of the previous page.", maxLength: 128, examples: [""] }),
    ),
  }),
  response: Type.Object({
    timestamp,
    reviews: Type.Array(
      Type.Object({
        scanReference,
        openedAt: time("When the review was requested."),
        claimedUntil: until("End of the current claim; null without a claim."),
        isMine: Type.Boolean({ description: "Whether this key holds the claim.", examples: [false] }),
        isProposed: Type.Boolean({
          description: "Whether a first reviewer has decided and a second must agree.",
          examples: [false],
        }),
        country: nullableText(undefined, "Declared issuing country, ISO 3166-1 alpha-3.", "CHL"),
        idType: nullableText(undefined, "Declared kind of the document.", "PASSPORT"),
        reasonCode: Type.Union([Type.Integer(), Type.Null()], {
          description:
            "Reason of the review (api/reason-codes.md). Null for a reason about the holder, an age or an office (126, " +
            "530 to 536), and for a code that only an external provider has.",
          examples: [507],
        }),
        additionalReasonCodes: Type.Array(Type.Integer(), {
          description: "Further findings, except the codes that `reasonCode` does not show.",
          examples: [[]],
        }),
      }),
    ),
    next: nullableText(undefined, "Sent as `after` for the next page; null at the end.", null),
  }),
  failures: [],
});

/** POST /operator/reviews/{scanReference}/claim */
export const claimReviewRoute = route({
  name: "claimReview",
  method: "POST",
  path: `${base}/{scanReference}/claim`,
  scope: "review",
  tag,
  summary: "Claims a review for this key",
  description: `${beyond} A claim lasts for a limited time; claim again to prolong it. After its end others may claim the review.`,
  request: named,
  response: Type.Object({ timestamp, scanReference, claimedUntil: time("End of the claim.") }),
  failures: ["not_found", "review_decided", "review_held", "review_needs_another"],
});

const finding = Type.Object({
  name: Type.String({ description: "Name of the check.", examples: ["check-digits-wrong"] }),
  stage: Type.String({
    description: "Stage of the decision.",
    examples: ["contradiction"],
  }),
  holds: Type.Union([Type.Boolean(), Type.Literal("unknown")], {
    description: "true: evidence against the document. unknown: the check was not possible.",
    examples: [true],
  }),
  reasonCode: Type.Integer({ description: "Code of its reason.", examples: [507] }),
  meaning: Type.String({
    description: "Text of its reason.",
    examples: ["Tampered, data cross reference"],
  }),
  explanation: Type.String({
    description: "When the check finds something.",
    examples: ["Check digits are wrong"],
  }),
  evidence: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
    description: "What was measured.",
    examples: [{ failed: "dateOfBirth" }],
  }),
});

const decisionField = choice(
  ["APPROVE", "DECLINE", "RESUBMIT"],
  "Decision on the document: 9001, 9102 or 9103.",
  { examples: ["DECLINE"] },
);
const reasonCodeField = Type.Integer({
  minimum: 100,
  maximum: 699,
  description:
    "Reason: a code of 1xx or 5xx to decline, of 2xx or 6xx to ask for better images; none to approve.",
  examples: [507],
});
const noteField = Type.String({
  maxLength: 2000,
  description: "Note for the next reviewer. Stored sealed; the caller of documentValidation never sees it.",
  "x-personal": "identity",
  examples: ["The digit of the birth date is printed over."],
});

/** GET /operator/reviews/{scanReference} */
export const showReviewRoute = route({
  name: "showReview",
  method: "GET",
  path: `${base}/{scanReference}`,
  scope: "review",
  tag,
  summary: "Shows all data of a document under review",
  description: `${beyond} Only for the key that claimed it.`,
  request: named,
  response: Type.Object({
    timestamp,
    record: validationRecord,
    sides: Type.Array(choice(["front", "back"], "Sides with an image.")),
    findings: Type.Array(finding),
    proposal: Type.Union(
      [
        Type.Object({
          decision: decisionField,
          reasonCode: Type.Union([reasonCodeField, Type.Null()]),
          note: noteField,
        }),
        Type.Null(),
      ],
      { description: "Decision of a first reviewer, where a second must agree.", examples: [null] },
    ),
  }),
  failures: [...heldFailures, "stored_damaged", "stored_newer"],
});

/** GET /operator/reviews/{scanReference}/images/{side} */
export const reviewImageRoute = route({
  name: "reviewPicture",
  method: "GET",
  path: `${base}/{scanReference}/pictures/{side}`,
  scope: "review",
  tag,
  cost: 4,
  summary: "An image of a document under review",
  description: `${beyond} Only for the key that claimed it. Like every answer it must not be cached (Cache-Control: no-store).`,
  request: Type.Object({ scanReference, side: choice(["front", "back"], "Which side.") }),
  response: Type.Object({
    timestamp,
    scanReference,
    mimeType: choice(imageTypes, "Format of the image."),
    image: base64("document", "The image as it was sent."),
  }),
  failures: [...heldFailures, "stored_damaged", "stored_newer"],
});

/** POST /operator/reviews/{scanReference}/release */
export const releaseReviewRoute = route({
  name: "releaseReview",
  method: "POST",
  path: `${base}/{scanReference}/release`,
  scope: "review",
  tag,
  summary: "Releases a claimed review",
  description: beyond,
  request: named,
  response: Type.Object({ timestamp, scanReference }),
  failures: heldFailures,
});

/** POST /operator/reviews/{scanReference}/decide */
export const decideReviewRoute = route({
  name: "decideReview",
  method: "POST",
  path: `${base}/{scanReference}/decide`,
  scope: "review",
  tag,
  summary: "Decides a document under review",
  description:
    `${beyond} Only for the key that claimed it. Where the policy requires two persons (\`review.persons\`), the first proposes and the ` +
    "second, with another key, agrees by the same decision; another decision becomes the new first one.",
  request: Type.Object({
    scanReference,
    decision: decisionField,
    reasonCode: Type.Optional(reasonCodeField),
    note: Type.Optional(noteField),
  }),
  response: Type.Object({
    timestamp,
    scanReference,
    state: choice(["decided", "proposed"], "proposed: a second reviewer must agree."),
  }),
  failures: [...heldFailures, "review_outdated", "stored_damaged", "stored_newer"],
  rules: ({ decision, reasonCode }) => reasonFaults(decision, reasonCode),
});

const reasonFaults = (decision: unknown, reasonCode: unknown): readonly RequestFault[] => {
  if (decision === "APPROVE") {
    return isGiven(reasonCode) ? [wrong("reasonCode", "must be absent to approve")] : [];
  }
  if (!isGiven(reasonCode)) {
    return [missing("reasonCode", "is required unless the document is approved")];
  }
  const isOfDecline = /^[15]\d\d$/.test(String(reasonCode));
  return isOfDecline === (decision === "DECLINE")
    ? []
    : [wrong("reasonCode", "must be 1xx or 5xx to decline, 2xx or 6xx to ask for better images")];
};

/** In the order of the docs page. */
export const reviewRoutes: readonly Route[] = [
  listReviewsRoute,
  claimReviewRoute,
  showReviewRoute,
  reviewImageRoute,
  decideReviewRoute,
  releaseReviewRoute,
];
