import { reviewFailures } from "./review-failure.ts";

type FailureKind = {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 501 | 502 | 503 | 504;
  readonly title: string;
  /** Likely cause and what the caller can do. Sent as `detail` and printed in api/errors.md. */
  readonly detail: string;
  readonly retry: "never" | "later";
};

/** Every failure a caller can meet. Codes are public: add freely, never rename. */
export const failureKinds = {
  /** Schema or rules of the route refuse the body, a header or a parameter; also Base64 that is none. */
  request_invalid: {
    status: 400,
    title: "The request has missing or wrong fields",
    detail:
      "`errors` names every field that is missing or wrong; `code` is the validation code. Correct them.",
    retry: "never",
  },
  /** Bytes that are no UTF-8, no JSON, or JSON whose top is no object. */
  json_unreadable: {
    status: 400,
    title: "The body is not a JSON object",
    detail: "Send one JSON object in UTF-8, with nothing before or after it.",
    retry: "never",
  },
  /** No key, an unknown, expired or revoked one: the answer never says which. */
  unauthorized: {
    status: 401,
    title: "Unauthorized",
    detail:
      'Send a valid key in the header x-api-key. The body is `{"message":"Unauthorized"}` and nothing else.',
    retry: "never",
  },
  /** The key is good, but not for this. */
  scope_missing: {
    status: 403,
    title: "The key does not carry the scope that this call needs",
    detail: "Use another key, or make one with the scope that the reference page names for this endpoint.",
    retry: "never",
  },
  /** Too many failures in a row; only the operator ends it. */
  user_disabled: {
    status: 403,
    title: "This user is disabled after too many failed attempts",
    detail: "Nothing was judged. The operator looks into it and enables the user: idem people enable.",
    retry: "never",
  },
  /** Also what belongs to another tenant: both answers are the same to the byte. */
  not_found: {
    status: 404,
    title: "Nothing is stored under this reference",
    detail: "Check the reference, and that the key belongs to the tenant that received it.",
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
    detail: "The header Allow names the methods that it takes.",
    retry: "never",
  },
  /** A token that may be judged once was sent again. */
  token_replayed: {
    status: 409,
    title: "The token was used before",
    detail: "A best-image token is judged once. Capture again and send the new token.",
    retry: "never",
  },
  /** A scan that is approved, declined, over or still at work takes no better pictures. */
  transition_refused: {
    status: 409,
    title: "The validation does not wait for this",
    detail:
      "Only a validation with the decision 9103 takes better pictures, and for one call at a time. Ask for its data; else start a new one.",
    retry: "never",
  },
  ...reviewFailures,
  /** Told before anything of the person is judged. */
  template_outdated: {
    status: 409,
    title: "The user's template was made by another recogniser",
    detail:
      "It is not compared with templates of the present one. Send updateUserTemplate with the old template and a new " +
      "one, or delete the user and establish it again.",
    retry: "never",
  },
  /** Refused before it is read to the end. */
  body_too_large: {
    status: 413,
    title: "The body is larger than this service accepts",
    detail:
      "`facts.bytesMax` is the limit, which the operator sets. Send smaller pictures: more than 12 megapixels do not help.",
    retry: "never",
  },
  /** A body of another type than JSON. */
  media_type_unsupported: {
    status: 415,
    title: "The body must be application/json",
    detail: "Send the header Content-Type: application/json.",
    retry: "never",
  },
  /** Bytes that no decoder takes, or that end too early. */
  image_unreadable: {
    status: 422,
    title: "The image could not be decoded",
    detail:
      "`facts.field` names it. The bytes are damaged, cut off or too few to search. Check how they were encoded.",
    retry: "never",
  },
  /** A format that is not served, also an animation or a PDF. */
  image_unsupported: {
    status: 422,
    title: "The image format is not supported",
    detail:
      "`facts.field` names it, `facts.sent` what it is, where known. Send a still picture as JPEG or PNG.",
    retry: "never",
  },
  /** Judged from its length and its header, before anything is unpacked. */
  image_too_large: {
    status: 422,
    title: "The image has more pixels, bytes or frames than allowed",
    detail:
      "`facts` name the field and the limit. Send a smaller picture: more than 12 megapixels do not help.",
    retry: "never",
  },
  /** No token, bytes that were changed, or one that was sealed to another deployment's key. */
  token_unreadable: {
    status: 422,
    title: "The token could not be opened",
    detail:
      "Send the token as the widget gave it, to the deployment whose key sealed it. Without the widget seal the picture with " +
      "/sealing.js of that deployment (api/sealing.js, docs/guides/first-integration.md): a plain picture is no token.",
    retry: "never",
  },
  /** For example a document token where a best image belongs. */
  token_wrong_kind: {
    status: 422,
    title: "The token is of another kind than this field takes",
    detail: "Check which token of the widget belongs into this field.",
    retry: "never",
  },
  /** Of another recogniser, or of a picture that shows no face well enough. */
  template_unusable: {
    status: 422,
    title: "The new template cannot be used",
    detail:
      "It was made by another recogniser than the present one, is no template, its picture shows no face well enough, or its face would not be enrolled. Capture again.",
    retry: "never",
  },
  /** The old one was the registered one, but the new one is somebody else's. */
  template_mismatch: {
    status: 422,
    title: "The new template is of another face than the registered one",
    detail:
      "A template is replaced by one of the same person. To give the identifier to somebody else, delete the user first.",
    retry: "never",
  },
  /** Older than the deployment's limit, or from a clock that runs ahead. */
  token_expired: {
    status: 422,
    title: "The token's time is not one that this deployment accepts",
    detail:
      "`facts` say whether it is too old (`ageSecondsMax`) or comes from a clock that runs ahead (`aheadSecondsMax`). " +
      "Capture again and send the token at once; check the device's clock.",
    retry: "never",
  },
  /** The budget of the key, or of an address that sends wrong keys. */
  rate_limited: {
    status: 429,
    title: "Too many requests",
    detail: "Wait for the seconds that the header Retry-After names.",
    retry: "later",
  },
  /** The pause after several failures in a row. */
  user_paused: {
    status: 429,
    title: "Too many failed attempts in a row for this user",
    detail: "Wait for the seconds that the header Retry-After names. Nothing was judged.",
    retry: "later",
  },
  /** A broken invariant. The operator's log holds the cause under the request id. */
  internal_error: {
    status: 500,
    title: "The service made an error",
    detail: "Try again; if it stays, give the operator the request id.",
    retry: "later",
  },
  /** Sealed bytes whose seal does not hold any more: changed on the disk, or another's. Reading again will not mend them. */
  stored_damaged: {
    status: 500,
    title: "What is stored under this reference is damaged",
    detail: "It cannot be opened any more: send it again as a new call. Operators: restore it from a backup.",
    retry: "never",
  },
  /** The list of these endpoints is src/contract/later.ts. */
  not_built: {
    status: 501,
    title: "This endpoint is not part of this release",
    detail: "The contract is stated, the work comes with a later release.",
    retry: "never",
  },
  /** A registry, time-stamp authority or another system outside did not answer as it should. */
  upstream_failed: {
    status: 502,
    title: "An external service failed",
    detail: "Try again later; the operator's log names the service.",
    retry: "later",
  },
  /** The thread was replaced; the process lives on. */
  engine_failed: {
    status: 503,
    title: "The inference thread ended during this task",
    detail: "Try again; when the same picture fails again, send another. Operators: the log names the cause.",
    retry: "later",
  },
  /** Where the operator wants every enrolment compared with all others, and that cannot be done yet. */
  search_unavailable: {
    status: 503,
    title: "One-to-many search is not ready",
    detail:
      "The service has started a moment ago and still opens its templates, or has some that no recogniser of its own made. Try again later. Operators: the log tells how far it is; idem doctor tells of outdated faces on the block list.",
    retry: "later",
  },
  /** Refused at once rather than queued without end. */
  engine_busy: {
    status: 503,
    title: "The inference queue is full",
    detail: "Wait for the seconds that the header Retry-After names. Operators: add workers or nodes.",
    retry: "later",
  },
  /** A database whose connection broke at the commit may have committed: nobody can say before it answers again. */
  store_unavailable: {
    status: 503,
    title: "The store does not answer",
    detail:
      "Try again later. The call may have been stored all the same: then a token that is judged once answers " +
      "token_replayed, and the picture must be captured again. Operators: see /readyz and the log.",
    retry: "later",
  },
  /** The process ends; another one of the deployment takes the call. */
  shutting_down: {
    status: 503,
    title: "The service is shutting down",
    detail: "Send the request again on a new connection.",
    retry: "later",
  },
  /** Nothing is known of a call that timed out: ask its reference where there is one, else send it again. */
  timed_out: {
    status: 504,
    title: "The request took too long",
    detail: 'Try again later. The body is `{"message":"Request timed out"}` and nothing else.',
    retry: "later",
  },
} as const satisfies Record<string, FailureKind>;

export type FailureCode = keyof typeof failureKinds;

/** Free of personal data: field names, limits, counts. */
export type Facts = Readonly<Record<string, string | number | readonly string[]>>;

/**
 * An expected failure. `facts` go to the caller and must be free of personal data; `cause` goes only to the
 * operator's log. `facts.errors` (sentences) and `facts.code` (a validation code) become members of the problem
 * details, `facts.retryAfterSeconds` the header Retry-After; others are listed under `facts`.
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
