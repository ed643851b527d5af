/**
 * The interface's own types, written down from its tables and apart from `src/contract`: what a client
 * generated from the interface sends and reads. Additional members of our answers are not in them.
 */

/** The type of a member of an answer. A text may be null; a number never is. */
export type Member =
  /** A group whose members depend on the document. */
  | "any"
  | "text"
  | "integer"
  | "float"
  /** The one number that the interface allows to be null: it states a reason only where there is one. */
  | "integer or null"
  | { readonly oneOf: readonly string[] }
  /** A text that holds a JSON object with these members. */
  | { readonly json: Members }
  | { readonly object: Members }
  /** A member that the interface calls optional, or that exists for a measured value only. */
  | { readonly optional: Member };

export type Members = { readonly [name: string]: Member };

/**
 * One operation: required and optional fields of its request, nested ones with a dot, and the members of its
 * answer. A field that the interface requires in one line and not in another counts as required.
 */
export type InterfaceOperation = {
  readonly path: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly answer: Members;
};

const tracking = ["tracking.extraData", "tracking.operationId"] as const;

const envelope = {
  serviceResultCode: "integer",
  serviceResultLog: "text",
  serviceTime: "text",
  serviceTransactionId: "text",
  timestamp: { optional: "text" },
} as const;

const userEnvelope = {
  timestamp: "text",
  transactionId: "text",
  serviceResultCode: "integer",
  serviceResultLog: "text",
} as const;

const liveness = { ...envelope, serviceLivenessResult: "integer" } as const;

const authentication = {
  ...userEnvelope,
  serviceFacialSimilarityResult: "float",
  merchantReferenceId: "text",
  registeredTemplateRaw: { optional: "text" },
} as const;

const scoring: Members = {
  FIELDS_TOTAL: "integer",
  FIELDS_RETURNED: "integer",
  OVERALL_RATING: { optional: "float" },
  BACK_CONFIDENCE: { optional: "float" },
  FRONT_CONFIDENCE: { optional: "float" },
  BACK_SHA256: "text",
  FRONT_SHA256: "text",
};

const webDocument: Members = {
  CHECKS: "any",
  BACKSIDE: "any",
  FRONTSIDE: "any",
  ASK4BACK: "any",
  DECOMPOSED: { optional: "any" },
  SUBTYPE: "text",
  DOC_MODEL: "text",
  COUNTRY_CODE: "text",
  SCORING: { object: scoring },
};

const started = { timestamp: "text", scanReference: "text", type: { optional: "text" } } as const;

const status = {
  timestamp: "text",
  scanReference: "text",
  status: { oneOf: ["PENDING", "DONE", "FAILED"] },
} as const;

const texts = (...names: readonly string[]): Members =>
  Object.fromEntries(names.map((name) => [name, "text" as const]));

const record: Members = {
  status: { oneOf: ["Success", "Fail"] },
  verification: {
    object: {
      scanReference: "text",
      code: "integer",
      status: {
        oneOf: [
          "Started",
          "Submitted",
          "Approved",
          "Declined",
          "Resubmission",
          "Expired/Abandoned",
          "Review",
        ],
      },
      reason: "text",
      reasonCode: "integer or null",
      ...texts("merchantScanReference", "acceptanceTime", "decisionTime"),
      document: {
        object: {
          type: { oneOf: ["PASSPORT", "DRIVING_LICENSE", "ID_CARD", "VISA", "UNSUPPORTED"] },
          ...texts(
            "country",
            "number",
            "validFrom",
            "validUntil",
            "placeOfIssue",
            "firstIssue",
            "issueNumber",
            "issuedBy",
          ),
        },
      },
      person: {
        object: {
          ...texts(
            "firstName",
            "lastName",
            "idNumber",
            "citizenship",
            "nationality",
            "gender",
            "placeOfBirth",
          ),
          ...texts("dateOfBirth", "yearOfBirth"),
        },
      },
    },
  },
};

const authenticateRequired = [
  "userId",
  "registeredTemplateRaw",
  "bestImageToken",
  "merchantReferenceId",
] as const;
const authenticateRequest = ["image", "template", ...tracking] as const;

/** Every built operation by its name in `src/contract`, the only word that both share. */
export const interfaceOperations = {
  authenticateUser: {
    path: "/services/authenticateUser",
    method: "POST",
    required: [...authenticateRequired],
    optional: authenticateRequest,
    answer: authentication,
  },
  deleteUsers: {
    path: "/services/authenticateUser",
    method: "DELETE",
    required: ["userIds"],
    optional: [],
    answer: userEnvelope,
  },
  authenticateUserV2: {
    path: "/services/authenticateUser/v2",
    method: "POST",
    required: [...authenticateRequired],
    optional: authenticateRequest,
    answer: {
      ...authentication,
      serviceFacialAuthenticationLog: "text",
      serviceFacialAuthenticationResult: "integer",
      serviceLivenessResult: "integer",
      serviceLivenessLog: "text",
    },
  },
  startDocumentValidation: {
    path: "/verify/documentValidation/v2/start",
    method: "POST",
    required: ["country", "idType", "documentFrontRawImage", "documentBackRawImage"],
    optional: ["merchantIdScanReference", "documentRawImageMimeType"],
    answer: started,
  },
  documentValidationStatus: {
    path: "/verify/documentValidation/v2/status",
    method: "POST",
    required: ["scanReference"],
    optional: ["type"],
    answer: status,
  },
  documentValidationData: {
    path: "/verify/documentValidation/v2/data",
    method: "POST",
    required: ["scanReference"],
    optional: ["type"],
    answer: record,
  },
  startDocumentValidationV1: {
    path: "/verify/documentValidation/start",
    method: "POST",
    required: ["country", "idType", "frontsideImage"],
    optional: ["backsideImage", "merchantIdScanReference"],
    answer: started,
  },
  documentValidationStatusV1: {
    path: "/verify/documentValidation/status",
    method: "POST",
    required: ["scanReference"],
    optional: ["type"],
    answer: status,
  },
  documentValidationDataV1: {
    path: "/verify/documentValidation/data",
    method: "POST",
    required: ["scanReference"],
    optional: ["type"],
    answer: record,
  },
  padDiagnostic: {
    path: "/verify/pad/diagnostic",
    method: "POST",
    required: ["frontSideImage", "backSideImage", "tokenized", "countryCode", "idType"],
    optional: ["face"],
    answer: {
      ...envelope,
      timestamp: "text",
      serviceResult: {
        json: {
          result: {
            object: {
              decision: { oneOf: ["Credible", "Doubtful", "Spoof", "Error"] },
              IQA: { optional: { object: {} } },
            },
          },
          api_version: "text",
        },
      },
      serviceDocumentData: { json: webDocument },
    },
  },
  identity: {
    path: "/onboarding/v2/identity",
    method: "POST",
    required: ["token1", "bestImageToken", "method"],
    optional: [...tracking],
    answer: {
      ...envelope,
      facialAuthenticationResult: "integer",
      facialAuthenticationLog: "text",
      facialAuthenticationSimilarity: "float",
      passiveLivenessResult: "integer",
      passiveLivenessLog: "text",
    },
  },
  authenticateFacial: {
    path: "/services/authenticateFacial",
    method: "POST",
    required: ["token1", "token2", "method"],
    optional: [...tracking],
    answer: {
      ...envelope,
      serviceFacialAuthenticationResult: "integer",
      serviceFacialSimilarityResult: "float",
    },
  },
  extractDocumentData: {
    path: "/services/extractDocumentData",
    method: "POST",
    required: ["tokenOcr"],
    optional: [...tracking],
    answer: {
      ...envelope,
      serviceDocument: {
        json: {
          ...texts(
            "Back/MRZ/FullName",
            "FirstName",
            "LastName",
            "DateOfBirth",
            "DateOfExpiry",
            "DateOfIssue",
          ),
          ...texts("DocumentNumber", "Nationality", "Issuer", "NfcKey", "DocumentCaptured"),
          MatchingSidesScore: { optional: "float" },
        },
      },
    },
  },
  extractDocumentDataWeb: {
    path: "/services/extractDocumentDataWeb",
    method: "POST",
    required: ["tokenFrontDocument", "tokenBackDocument", "countryCode"],
    optional: ["decompose", ...tracking],
    answer: { ...envelope, serviceDocument: { json: webDocument } },
  },
  detokenize: {
    path: "/services/detokenize",
    method: "POST",
    required: ["bestImageToken", "transactionId"],
    optional: [],
    answer: { timestamp: "text", transactionId: "text", imageBuffer: "text" },
  },
  civilValidation: {
    path: "/services/civilValidation",
    method: "POST",
    required: ["operation", "platform"],
    optional: [
      "documentNumber",
      "imageFrontDocument",
      "imageBackDocument",
      "countryCode",
      "tokenOcr",
      "bestImage",
      "gender",
      "templateRaw",
      "documentValidation",
      "documentCode",
      "returnPII",
      ...tracking,
    ],
    answer: {
      ...envelope,
      civilDataValidation: { optional: "any" },
      serviceFacialAuthenticationResult: { optional: "integer" },
      serviceFacialSimilarityResult: { optional: "float" },
      serviceFacialAuthenticationHash: { optional: "text" },
      serviceDocument: { optional: "any" },
      civilServiceData: { optional: "any" },
      scanReference: { optional: "text" },
      type: { optional: "text" },
    },
  },
  digitalSign: {
    path: "/services/digitalSign",
    method: "POST",
    required: ["endUserContactInfo", "file", "signingData", "signingLocation", "signingType"],
    optional: [
      "signatureData.handSignature",
      "signatureData.pageNumber",
      "signatureData.signatureFieldPosition",
    ],
    answer: {
      serviceTransactionId: "text",
      serviceResultCode: "integer",
      serviceResultLog: "text",
      timestamp: "text",
      serviceDocument: "text",
    },
  },
  finishTracking: {
    path: "/services/finishTracking",
    method: "POST",
    required: ["family", "status", "reason", "extraData"],
    optional: [],
    answer: {
      trackingStatus: "integer",
      trackingMessage: "text",
      transactionId: "text",
      timestamp: "text",
    },
  },
  updateUserTemplate: {
    path: "/services/updateUserTemplate",
    method: "POST",
    required: ["userId", "oldRegisteredTemplateRaw", "newRegisteredTemplateRaw"],
    optional: ["extraData", "operationId"],
    answer: userEnvelope,
  },
  evaluatePassiveLivenessToken: {
    path: "/services/evaluatePassiveLivenessToken",
    method: "POST",
    required: ["imageBuffer"],
    optional: [...tracking],
    answer: liveness,
  },
  evaluatePassiveLiveness: {
    path: "/services/evaluatePassiveLiveness",
    method: "POST",
    required: ["imageBuffer"],
    optional: [],
    answer: liveness,
  },
  extractFacial: {
    path: "/services/extractFacial",
    method: "POST",
    required: ["tokenBuffer"],
    optional: [],
    answer: {
      ...envelope,
      serviceFacialExtractionResult: {
        json: {
          age: { optional: "integer" },
          glasses: "text",
          gender: { oneOf: ["Male", "Female", "None"] },
          iod: { optional: "integer" },
          faceConfidence: "float",
        },
      },
    },
  },
  verifyClearing: {
    path: "/services/clearing/{serviceTransactionId}/verify",
    method: "POST",
    required: ["serviceTransactionId", "scanReference"],
    optional: [],
    answer: { token: "text" },
  },
  // The interface shows neither method nor answer.
  clearingCertificate: {
    path: "/services/clearing/{serviceTransactionId}/certificate",
    method: "GET",
    required: ["serviceTransactionId", "token"],
    optional: [],
    answer: {},
  },
  verifyPrevired: {
    path: "/services/previred/{serviceTransactionId}/verify",
    method: "POST",
    required: ["serviceTransactionId", "scanReference"],
    optional: [],
    answer: { token: "text" },
  },
  startPrevired: {
    path: "/services/previred",
    method: "POST",
    required: [
      "customerId",
      "identityTransactionId",
      "documentValidationScanReference",
      "ipVerified",
      "callbackUrl",
    ],
    optional: [],
    answer: { timestamp: "integer", transactionId: "text", hash: "text" },
  },
  previredCertificate: {
    path: "/services/previred/{serviceTransactionId}/certificate",
    method: "GET",
    required: ["serviceTransactionId", "token"],
    optional: [],
    answer: {},
  },
} as const satisfies Record<string, InterfaceOperation>;

export type OperationName = keyof typeof interfaceOperations;
