type FailureKind = {
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 501 | 502 | 503 | 504;
  readonly title: string;
  readonly retry: "never" | "later";
};

/** Every failure a caller can meet. Codes are public: add freely, never rename. */
export const failureKinds = {
  request_invalid: { status: 400, title: "The request has missing or wrong fields", retry: "never" },
  json_unreadable: { status: 400, title: "The body is not a JSON object", retry: "never" },
  unauthorized: { status: 401, title: "Unauthorized", retry: "never" },
  scope_missing: {
    status: 403,
    title: "The key does not carry the scope that this call needs",
    retry: "never",
  },
  not_found: { status: 404, title: "Nothing is stored under this reference", retry: "never" },
  method_unknown: { status: 404, title: "There is no such endpoint", retry: "never" },
  token_replayed: { status: 409, title: "The token was used before", retry: "never" },
  body_too_large: { status: 413, title: "The body is larger than this service accepts", retry: "never" },
  media_type_unsupported: { status: 415, title: "The body must be application/json", retry: "never" },
  image_unreadable: { status: 422, title: "The image could not be decoded", retry: "never" },
  image_unsupported: { status: 422, title: "The image format is not supported", retry: "never" },
  image_too_large: {
    status: 422,
    title: "The image has more pixels, bytes or frames than allowed",
    retry: "never",
  },
  token_unreadable: { status: 422, title: "The token could not be opened", retry: "never" },
  token_wrong_kind: {
    status: 422,
    title: "The token is of another kind than this field takes",
    retry: "never",
  },
  token_expired: { status: 422, title: "The token is older than this deployment accepts", retry: "never" },
  rate_limited: { status: 429, title: "Too many requests", retry: "later" },
  internal_error: { status: 500, title: "The service made an error", retry: "later" },
  not_built: { status: 501, title: "This endpoint is not part of this release", retry: "never" },
  upstream_failed: { status: 502, title: "An external service failed", retry: "later" },
  engine_busy: { status: 503, title: "The inference queue is full", retry: "later" },
  store_unavailable: { status: 503, title: "The store does not answer", retry: "later" },
  shutting_down: { status: 503, title: "The service is shutting down", retry: "later" },
  timed_out: { status: 504, title: "The request took too long", retry: "later" },
} as const satisfies Record<string, FailureKind>;

export type FailureCode = keyof typeof failureKinds;

/** Free of personal data: field names, limits, counts. */
export type Facts = Readonly<Record<string, string | number | readonly string[]>>;

/**
 * An expected failure. `facts` go to the caller and must be free of personal data; `cause` goes only to the
 * operator's log. `facts.errors` (array of sentences) becomes the `errors` member of the problem details.
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
