import { Type } from "typebox";
import { validationRecord } from "./document-validation.routes.ts";
import { route } from "./endpoint.ts";
import type { FailureCode } from "./failure.ts";
import { missing, type RequestFault, wrong } from "./request.ts";
import { isGiven } from "./request-rule.ts";
import { base64, choice, nullableText, text, time } from "./wire.ts";

const tag = "Review";

const beyond = "Beyond the interface, for a console of the operator.";

const scanReference = text("The validation that waits for a person.", {
  maxLength: 128,
  examples: ["6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a"],
});
const timestamp = time("UTC time of the response.");
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
  summary: "Lists the documents that wait for a person, the oldest first",
  description:
    `${beyond} Nothing that a document says of its holder is in it: that is shown to whoever has claimed a review. A ` +
    "`reasonCode` that is null beside a `country` tells that the reason concerns the holder, or is a provider's own, and " +
    "not which it is. `country`, `idType` and `reasonCode` are null where what is stored cannot be opened.",
  request: Type.Object({
    after: Type.Optional(
      Type.String({ description: "`next` of the page before.", maxLength: 128, examples: [""] }),
    ),
  }),
  response: Type.Object({
    timestamp,
    reviews: Type.Array(
      Type.Object({
        scanReference,
        openedAt: time("When it was decided that a person must look."),
        claimedUntil: until("Until when somebody has it before him; null where nobody has."),
        isMine: Type.Boolean({ description: "Whether that somebody is this key.", examples: [false] }),
        isProposed: Type.Boolean({
          description: "Whether a first person has said something to which a second must agree.",
          examples: [false],
        }),
        country: nullableText(undefined, "Issuing country as it was declared, ISO 3166-1 alpha-3.", "CHL"),
        idType: nullableText(undefined, "Kind of the document as it was declared.", "PASSPORT"),
        reasonCode: Type.Union([Type.Integer(), Type.Null()], {
          description:
            "Why a person must look (api/reason-codes.md). Null for what tells of the holder, an age or an office (126, " +
            "530 to 536), and for a code that only a provider outside knows.",
          examples: [507],
        }),
        additionalReasonCodes: Type.Array(Type.Integer(), {
          description: "What else was found, but for codes that `reasonCode` does not tell either.",
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
  summary: "Takes a review, so that nobody else does",
  description: `${beyond} It is held for a time; claiming it again prolongs that. What is not decided until then others may take.`,
  request: named,
  response: Type.Object({ timestamp, scanReference, claimedUntil: time("Until when it is held.") }),
  failures: ["not_found", "review_decided", "review_held", "review_needs_another"],
});

const finding = Type.Object({
  name: Type.String({ description: "Name of the check.", examples: ["check-digits-wrong"] }),
  stage: Type.String({
    description: "Stage of the decision to which it belongs.",
    examples: ["contradiction"],
  }),
  holds: Type.Union([Type.Boolean(), Type.Literal("unknown")], {
    description: "true: it speaks against the document. unknown: it could not be told.",
    examples: [true],
  }),
  reasonCode: Type.Integer({ description: "Code of the reason that it stands for.", examples: [507] }),
  meaning: Type.String({
    description: "That reason in words.",
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
  "What becomes of the document: 9001, 9102 or 9103.",
  { examples: ["DECLINE"] },
);
const reasonCodeField = Type.Integer({
  minimum: 100,
  maximum: 699,
  description:
    "Why: a code of 1xx or 5xx to decline, of 2xx or 6xx to ask for better pictures; none to approve.",
  examples: [507],
});
const noteField = Type.String({
  maxLength: 2000,
  description:
    "What the next person should know. Kept sealed; the caller of documentValidation never sees it.",
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
  summary: "Shows everything that is known of a document under review",
  description: `${beyond} Only to whoever has claimed it.`,
  request: named,
  response: Type.Object({
    timestamp,
    record: validationRecord,
    sides: Type.Array(choice(["front", "back"], "Sides of which a picture is there.")),
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
      { description: "What a first person said, where a second must agree.", examples: [null] },
    ),
  }),
  failures: [...heldFailures, "stored_damaged"],
});

/** GET /operator/reviews/{scanReference}/pictures/{side} */
export const reviewPictureRoute = route({
  name: "reviewPicture",
  method: "GET",
  path: `${base}/{scanReference}/pictures/{side}`,
  scope: "review",
  tag,
  cost: 4,
  summary: "A picture of a document under review",
  description: `${beyond} Only to whoever has claimed it. As every answer it must not be stored on the way (Cache-Control: no-store).`,
  request: Type.Object({ scanReference, side: choice(["front", "back"], "Which side.") }),
  response: Type.Object({
    timestamp,
    scanReference,
    mimeType: choice(["image/jpeg", "image/png"], "Format of the picture."),
    image: base64("document", "The picture as it was sent."),
  }),
  failures: [...heldFailures, "stored_damaged"],
});

/** POST /operator/reviews/{scanReference}/release */
export const releaseReviewRoute = route({
  name: "releaseReview",
  method: "POST",
  path: `${base}/{scanReference}/release`,
  scope: "review",
  tag,
  summary: "Gives a claimed review back",
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
    `${beyond} Only whoever has claimed it. Where the policy asks for two persons (\`review.persons\`), the first says and the ` +
    "second, with another key, agrees by deciding the same; a second who says otherwise becomes the first.",
  request: Type.Object({
    scanReference,
    decision: decisionField,
    reasonCode: Type.Optional(reasonCodeField),
    note: Type.Optional(noteField),
  }),
  response: Type.Object({
    timestamp,
    scanReference,
    state: choice(["decided", "proposed"], "proposed: a second person must agree."),
  }),
  failures: [...heldFailures, "review_outdated", "stored_damaged"],
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
    : [wrong("reasonCode", "must be 1xx or 5xx to decline, 2xx or 6xx to ask for better pictures")];
};
