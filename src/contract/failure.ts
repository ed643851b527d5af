import { captureFailures } from "./capture-failure.ts";
import { clearingFailures } from "./clearing-failure.ts";
import { clearingTransferFailures } from "./clearing-transfer-failure.ts";
import { destinationFailures } from "./destination-failure.ts";
import { idempotencyFailures } from "./idempotency.ts";
import { keyFailures } from "./key-failure.ts";
import { mailboxFailures } from "./mailbox-failure.ts";
import { reviewFailures } from "./review-failure.ts";
import { sandboxFailures } from "./sandbox-failure.ts";
import { signingFailures } from "./signing-failure.ts";
import { transportFailures } from "./transport-failure.ts";
import { userFailures } from "./user-failure.ts";
import { verificationFailures } from "./verification-failure.ts";

export type FailureKind = {
  readonly status:
    | 400
    | 401
    | 403
    | 404
    | 405
    | 406
    | 408
    | 409
    | 413
    | 415
    | 422
    | 429
    | 431
    | 500
    | 501
    | 502
    | 503
    | 504;
  readonly title: string;
  /** Likely cause and the caller's next step. Sent as `detail` and printed in api/errors.md. */
  readonly detail: string;
  readonly retry: "never" | "later";
  /**
   * The service, or what it needs, is away for a time. Work that can wait, waits for it and spends no
   * attempt.
   */
  readonly isOutage?: true;
};

/** Every failure that a caller can receive. Codes are public: add freely, never rename. */
export const failureKinds = {
  /** Schema or rules of the route refuse the body, a header or a parameter; also invalid Base64. */
  request_invalid: {
    status: 400,
    title: "The request has missing or wrong fields",
    detail:
      "`errors` names every field that is missing or wrong; `code` is the validation code. Correct them.",
    retry: "never",
  },
  ...transportFailures,
  /**
   * A missing, unknown, expired or revoked key: the header WWW-Authenticate and the log say which, the body
   * never.
   */
  unauthorized: {
    status: 401,
    title: "Unauthorized",
    detail:
      'Send a valid key in the header x-api-key. The body is `{"message":"Unauthorized"}` and nothing else; `error` in the header WWW-Authenticate is no_key, unknown_key, expired_key or revoked_key.',
    retry: "never",
  },
  /** The key is valid, but lacks the scope of this call. */
  scope_missing: {
    status: 403,
    title: "The key does not carry the scope that this call needs",
    detail: "Use another key, or create one with the scope that the reference page names for this endpoint.",
    retry: "never",
  },
  ...userFailures,
  /** Also for data of another tenant: both answers are the same to the byte. */
  not_found: {
    status: 404,
    title: "Nothing is stored under this reference",
    detail: "Check the reference, and that the key belongs to the tenant that received it.",
    retry: "never",
  },
  /** Also for an operation of another tenant or environment: both answers are the same to the byte. */
  operation_unknown: {
    status: 404,
    title: "No operation was found",
    detail:
      "No call of an operation had this operationId or extraData. Send `operationId` beside the fields, with the value of " +
      "`tracking.operationId` in the calls. The key must be of their tenant and environment.",
    retry: "never",
  },
  /** A path that the interface does not have. */
  path_unknown: {
    status: 404,
    title: "There is no such endpoint",
    detail: "Check the path; upper and lower case count. /docs lists every endpoint.",
    retry: "never",
  },
  /** The path exists, but not with this method. */
  method_not_allowed: {
    status: 405,
    title: "The endpoint does not take this method",
    detail: "The header Allow names the accepted methods.",
    retry: "never",
  },
  /** A token was sent again by another call of one kind, or by another operation. */
  token_replayed: {
    status: 409,
    title: "The token was used before",
    detail:
      "`facts.reason` says why it is not used again. A best image serves one call of each kind, all of one operation: send the same " +
      "`tracking.operationId` in all calls of one capture. Else capture again and send the new token, or repeat the first call byte " +
      "for byte: it gets the stored answer.",
    retry: "never",
  },
  operation_finished: {
    status: 409,
    title: "The operation has ended",
    detail:
      "An operation that was finished or has expired takes no further call that names it by its id, and no other end. Nothing was stored. Begin a new operation: send another `tracking.operationId`.",
    retry: "never",
  },
  /** An approved, declined, closed or running validation accepts no better images. */
  transition_refused: {
    status: 409,
    title: "The validation does not wait for this",
    detail:
      "Only a validation with the decision 9103 accepts better images, one call at a time. Read its data, or start a new validation.",
    retry: "never",
  },
  /** The operator has configured no registry of this country for the environment of the key. */
  registry_not_configured: {
    status: 409,
    title: "This deployment asks no registry of this country",
    detail:
      "`facts.country` names it. Nothing was asked and nothing stored. The operator configures registries in the file of IDEM_REGISTRIES, " +
      "for live keys and for test keys apart.",
    retry: "never",
  },
  ...reviewFailures,
  ...destinationFailures,
  ...keyFailures,
  ...mailboxFailures,
  ...idempotencyFailures,
  /** Reported before any judgement of the person. */
  template_outdated: {
    status: 409,
    title: "The user's template was made by another recogniser",
    detail:
      "It cannot be compared with templates of the current recogniser. Send updateUserTemplate with the old template and a new " +
      "template, or delete the user and enrol again.",
    retry: "never",
  },
  /** Bytes that no decoder accepts, or that end too early; also a side that no reader could search. */
  image_unreadable: {
    status: 422,
    title: "The image could not be decoded",
    detail:
      "`facts.field` names it. The bytes are damaged or cut off, a side is shorter than `facts.sideMin` pixels, or the decoder " +
      "needs more than `facts.decodeSecondsMax` seconds. Check how the image was encoded.",
    retry: "never",
  },
  /** An unsupported format, also an animation or a PDF. */
  image_unsupported: {
    status: 422,
    title: "The image format is not supported",
    detail:
      "`facts.field` names it, `facts.sent` what it is, where known, and `facts.stated` the format of its MIME type where that is " +
      "another one. Send a still image as JPEG, PNG, WebP or AVIF, with its own MIME type or none.",
    retry: "never",
  },
  /** Judged from its length and its header, before decoding. */
  image_too_large: {
    status: 422,
    title: "The image has more pixels, bytes or frames than allowed",
    detail:
      "`facts` name the field and the limit. Send a smaller image: more than 12 megapixels do not help.",
    retry: "never",
  },
  /** Not a token, changed bytes, or a token sealed to another deployment's key. */
  token_unreadable: {
    status: 422,
    title: "The token could not be opened",
    detail:
      "`facts.reason` says what is wrong. Send the token unchanged, to the deployment whose key sealed it. Seal an image with " +
      "/sealing.js of that deployment (api/sealing.js, docs/guides/start/first-integration.md). A plain image may stand for an image token " +
      "of a test key, and of a live key where the operator accepts it; never for a template, which this service makes.",
    retry: "never",
  },
  /** For example a document token in place of a best image. */
  token_wrong_kind: {
    status: 422,
    title: "The token is of another kind than this field accepts",
    detail:
      "docs/guides/start/first-integration.md has a table: each kind of token, and the fields that take it.",
    retry: "never",
  },
  /** A template of another recogniser, or of an image without a usable face. */
  template_unusable: {
    status: 422,
    title: "The new template cannot be used",
    detail:
      "It belongs to another recogniser, is no template, its image shows no face well enough, or its face would not be enrolled. Capture again.",
    retry: "never",
  },
  /** The old template is the registered one, but the new template shows another person. */
  template_mismatch: {
    status: 422,
    title: "The new template is of another face than the registered one",
    detail:
      "A new template must show the same person. To give the identifier to another person, delete the user first.",
    retry: "never",
  },
  /** Older than the deployment's limit, or from a clock that runs ahead. */
  token_expired: {
    status: 422,
    title: "This deployment does not accept the token's time",
    detail:
      "`facts` say whether it is too old (`ageSecondsMax`) or comes from a clock that runs ahead (`aheadSecondsMax`). " +
      "Capture again and send the token at once; check the device's clock.",
    retry: "never",
  },
  ...clearingTransferFailures,
  ...signingFailures,
  ...sandboxFailures,
  ...captureFailures,
  ...verificationFailures,
  ...clearingFailures,
  /**
   * The rate budget of the key, or of an address that sends wrong keys or wrong links, or loads pages too
   * often.
   */
  rate_limited: {
    status: 429,
    title: "Too many requests",
    detail: "Wait for the seconds that the header Retry-After names.",
    retry: "later",
  },
  /** A broken invariant. The operator's log holds the cause under the request id. */
  internal_error: {
    status: 500,
    title: "The service made an error",
    detail: "Try again; if the error stays, give the operator the request id.",
    retry: "later",
  },
  /**
   * Sealed bytes with a broken seal: changed on the disk, or sealed by another key. Reading again does not
   * help.
   */
  stored_damaged: {
    status: 500,
    title: "The stored data of this reference is damaged",
    detail: "It cannot be opened: send the data again as a new call. Operators: restore it from a backup.",
    retry: "never",
  },
  /**
   * Sealed data that opens, but has a form that this release cannot read. Only a later release writes such
   * data.
   */
  stored_newer: {
    status: 503,
    title: "The stored data of this reference was written by a newer release",
    detail:
      "Nothing is lost: try again later. Operators: this process is older than the process that wrote the data; the log names " +
      "what it cannot read. Start the newer release in place of every older process (docs/guides/operate/running.md).",
    retry: "later",
    isOutage: true,
  },
  /** No endpoint answers it any more. It stays listed: clients of release 0.1.0 read it. */
  not_built: {
    status: 501,
    title: "This endpoint is not part of this release",
    detail: "Its contract is final; a later release implements it.",
    retry: "never",
  },
  /** A wrong or missing answer of a registry, time-stamp authority or other external system. */
  upstream_failed: {
    status: 502,
    title: "An external service failed",
    detail: "Try again later; the operator's log names the service.",
    retry: "later",
  },
  /** The thread was replaced; the process continues. */
  engine_failed: {
    status: 503,
    title: "The inference thread ended during this task",
    detail: "Try again; if the same image fails again, send another. Operators: the log names the cause.",
    retry: "later",
  },
  /** The operator requires a search with every enrolment, and the search is not ready yet. */
  search_unavailable: {
    status: 503,
    title: "One-to-many search is not ready",
    detail:
      "Try again later. The service has just started and still opens its templates, or holds templates of another recogniser. Operators: the log shows the progress; idem doctor reports outdated faces on the block list.",
    retry: "later",
    isOutage: true,
  },
  /** Refused at once rather than queued without limit; also a decode on an overloaded machine. */
  engine_busy: {
    status: 503,
    title: "The service has no capacity for this task now",
    detail:
      "Wait for the seconds that the header Retry-After names. The inference queue is full, or the machine is too busy to decode " +
      "the image in time. Operators: add workers where processors are idle, else add nodes.",
    retry: "later",
  },
  /**
   * A database connection that broke at the commit may have committed: the result is unknown until the
   * database answers again.
   */
  store_unavailable: {
    status: 503,
    title: "The store does not answer",
    detail:
      "Try again later. The call may have been stored: then a token that is judged once answers " +
      "token_replayed, and the image must be captured again. A call with an Idempotency-Key is never carried out " +
      "twice: send it again with the same key. Operators: see /readyz and the log.",
    retry: "later",
    isOutage: true,
  },
  /** The process ends; another process of the deployment takes the call. */
  shutting_down: {
    status: 503,
    title: "The service is shutting down",
    detail: "Send the request again on a new connection.",
    retry: "later",
    isOutage: true,
  },
  /**
   * The result of a call that timed out is unknown: query its reference where there is one, else send it
   * again.
   */
  timed_out: {
    status: 504,
    title: "The request took too long",
    detail: 'Try again later. The body is `{"message":"Request timed out"}` and nothing else.',
    retry: "later",
  },
} as const satisfies Record<string, FailureKind>;

export type FailureCode = keyof typeof failureKinds;

/**
 * Failures whose answers are the same to the byte for unknown data and for another tenant's data. They leave
 * out `requestId`, which the header has.
 */
export const uniformFailures: readonly FailureCode[] = ["not_found", "operation_unknown"];

/** Codes for stored data that exists and that this process cannot read. */
const unreadable: readonly FailureCode[] = ["stored_damaged", "stored_newer"];

/** Free of personal data: field names, limits, counts. */
export type Facts = Readonly<Record<string, string | number | readonly string[]>>;

/**
 * An expected failure. `facts` go to the caller and must be free of personal data; `cause` goes only to the
 * operator's log. `facts.errors` (sentences) and `facts.code` (a validation code) become members of the
 * problem details, `facts.retryAfterSeconds` the header Retry-After; others are listed under `facts`.
 *
 * @example
 * ```ts
 * import { Failure } from "#contract/failure";
 *
 * export const requireUpright = (height: number, width: number): void => {
 *   if (height < width) throw new Failure("image_unreadable", { width, height });
 * };
 * ```
 */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: FailureCode;
  readonly facts: Facts;

  constructor(code: FailureCode, facts: Facts = {}, options?: ErrorOptions) {
    super(failureKinds[code].title, options);
    this.code = code;
    this.facts = facts;
  }
}

/**
 * Whether the error is about stored data that exists and that this process cannot read: damaged, or of a
 * newer release.
 */
export const isUnreadable = (error: unknown): error is Failure =>
  error instanceof Failure && unreadable.includes(error.code);
