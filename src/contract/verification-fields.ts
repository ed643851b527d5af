/** Fields of verifications on the wire. */
import { type Static, Type } from "typebox";
import { captureLevels, captureStates } from "./capture.ts";
import { expiresAt, pageToken, pageUrl, sessionId } from "./capture-fields.ts";
import { documentTypesV2 } from "./document-type.ts";
import { validationRecord } from "./document-validation.routes.ts";
import { authenticationHashField } from "./envelope.ts";
import { facialAuthenticationNumber } from "./facial-authentication.ts";
import type { GuidanceCode } from "./guidance.ts";
import { assuranceLevels, livenessNumber } from "./liveness.ts";
import { outcomes } from "./outcome.ts";
import {
  ageAnswers,
  birthReadings,
  nextSteps,
  verificationDecisions,
  verificationFlows,
  verificationReasons,
  verificationStates,
} from "./verification.ts";
import { choice, country, fmrAtScore, namesOf, personalText, similarity, text, time } from "./wire.ts";

export const verificationId = text("The verification.", {
  "x-name": "VerificationId",
  maxLength: 64,
  examples: ["7a9d3c52-4b8e-4c1f-9a56-0e2f6d7b8c90"],
});

export const flow = choice(
  verificationFlows,
  "What is verified. document_and_selfie: a document, and that the selfie shows its holder. document: a document alone. " +
    "selfie_of_user: that a selfie shows the registered user `userId`. age_over: that the holder of a document has reached `age`.",
  { "x-name": "VerificationFlow" },
);

/** The document that the person shows. */
export const expectedDocument = Type.Object(
  {
    country: country("Issuing country, ISO 3166-1 alpha-3."),
    type: choice(documentTypesV2, "Kind of the document.", { examples: ["PASSPORT"] }),
  },
  {
    description: "The document that the person shows; mandatory for every flow with a document.",
    examples: [{ country: "CHL", type: "PASSPORT" }],
  },
);

const capture = Type.Object(
  {
    sessionId,
    state: choice(captureStates, "State of the session.", { examples: ["COMPLETED"] }),
    expiresAt,
    token: Type.Optional(pageToken),
    url: Type.Optional(pageUrl),
  },
  {
    "x-name": "VerificationCapture",
    description:
      "The capture session; absent for own images. `token` and `url` stand only in the answer that opened the session.",
  },
);

const identity = Type.Object(
  {
    transactionId: text("Transaction of the judgement, for digitalSign, clearing and detokenize.", {
      examples: ["2db602ee-3564-4304-af95-92a52eaae12d"],
    }),
    outcome: choice(outcomes, "Comparison and liveness in one word, as `outcome` of identity."),
    comparison: Type.Object(
      {
        result: choice(
          namesOf(facialAuthenticationNumber),
          "Comparison of the selfie with the portrait of the document, or with the registered user. Positive: the same person.",
          { examples: ["Positive"] },
        ),
        similarity,
        fmrAtScore,
      },
      { description: "The comparison of the two faces." },
    ),
    liveness: Type.Object(
      {
        result: choice(namesOf(livenessNumber), "Liveness of the selfie. Live: a living person.", {
          examples: ["Live"],
        }),
        level: choice(assuranceLevels, "What the result rests on: the level of assurance.", {
          examples: ["advisory"],
        }),
      },
      { description: "The liveness of the selfie." },
    ),
    facialAuthenticationHash: authenticationHashField,
  },
  {
    "x-name": "VerifiedFace",
    description: "The face; absent before it is judged, and in a flow without a selfie.",
  },
);

const {
  code,
  status,
  reason,
  reasonCode,
  document: fields,
  person,
  portraitEvidence,
} = validationRecord.properties.verification.properties;

/** Guidance codes that follow from the limits of an image of a document. */
const documentGuidance = ["too_dark", "glare", "blur", "closer"] as const satisfies readonly GuidanceCode[];

const document = Type.Object(
  {
    code,
    status,
    reason,
    reasonCode,
    scanReference: Type.Optional(
      text("Reference of the document validation, for documentValidation data and clearing.", {
        examples: ["6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a"],
      }),
    ),
    document: Type.Optional(fields),
    person: Type.Optional(person),
    portraitEvidence,
    facts: Type.Optional(
      Type.Record(Type.String(), Type.Number(), {
        description:
          "Where another image is asked for: what was measured, and the limits that it breaks, such as `shortSidePxMin`. Absent where the " +
          "reason has no figures.",
        examples: [{ shortSidePx: 640, shortSidePxMin: 720 }],
      }),
    ),
    guidance: Type.Optional(
      choice(
        documentGuidance,
        "What helps the person to take a better image. Absent where `facts` break no limit of an image.",
        {
          examples: ["closer"],
        },
      ),
    ),
  },
  {
    "x-name": "VerifiedDocument",
    description:
      "The document validation; absent before its start, and in a flow without a document. The flow age_over states the decision alone: " +
      "neither the reference nor a field that was read.",
  },
);

const age = Type.Object(
  {
    over: Type.Integer({ description: "The age that was asked for.", examples: [18] }),
    answer: choice(
      ageAnswers,
      "yes: the holder has reached the age. no: the holder has not. unknown: the evidence allows neither.",
    ),
    evidence: Type.Object(
      {
        birth: choice(birthReadings, "What the document shows of the birth."),
        isApproved: Type.Boolean({ description: "Whether the document was approved.", examples: [true] }),
        day: text("The day for which the answer holds: it has begun everywhere on Earth.", {
          examples: ["2026-11-21"],
        }),
      },
      { description: "On what the answer rests. The birth date is never answered." },
    ),
  },
  {
    "x-name": "VerifiedAge",
    description: "The answer to age_over; absent before the document is decided, and in every other flow.",
  },
);

/** A verification as it is answered. */
export const verificationAnswer = {
  verificationId,
  flow,
  state: choice(verificationStates, "COMPLETED and FAILED are ends. COMPLETED: `decision` is made.", {
    "x-name": "VerificationState",
    examples: ["COMPLETED"],
  }),
  decision: Type.Union(
    [
      choice(
        verificationDecisions,
        "approved: every check is positive. rejected: a finding against the person. retry: other images may pass. review: every check is " +
          "positive, and one of them proves too little: a person of yours decides. error: the service could not judge.",
      ),
      Type.Null(),
    ],
    { "x-name": "VerificationDecision", description: "Null before the end.", examples: ["approved"] },
  ),
  reasons: Type.Array(choice(verificationReasons, "A reason."), {
    "x-name": "VerificationReasons",
    description:
      "Why it is not approved, the strongest reason first; empty for an approval and before a decision.",
    examples: [[]],
  }),
  nextStep: choice(
    nextSteps,
    "What you do next. none: nothing is left. wait: ask again in a second. open_capture: the person captures. wait_for_review: a " +
      "reviewer decides. try_again_selfie, try_again_document, try_again: create another verification with other images.",
    { "x-name": "NextStep" },
  ),
  createdAt: time("When it was created."),
  decidedAt: Type.Union([time("The end."), Type.Null()], {
    "x-name": "VerificationEnd",
    description: "Null before the end.",
    examples: ["2026-11-21T09:30:04.120Z"],
  }),
  operationId: text("Operation of the verification: its calls and events.", {
    examples: ["0f8fad5b-d9cb-469f-a165-70867728950e"],
  }),
  customerId: Type.Optional(
    personalText("identity", "Your own name for the person.", { examples: ["customer-4711"] }),
  ),
  level: Type.Optional(
    choice(captureLevels, "The level of the capture that was asked for.", { examples: ["passive"] }),
  ),
  capture: Type.Optional(capture),
  identity: Type.Optional(identity),
  document: Type.Optional(document),
  age: Type.Optional(age),
};

const whole = Type.Object(verificationAnswer);

/** A verification as it is answered, without the envelope. */
export type VerificationAnswer = Static<typeof whole>;
