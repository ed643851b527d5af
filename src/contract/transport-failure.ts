/** Failures of the request as such: its HTTP, its size, its pace and its JSON. Part of `failureKinds`. */
export const transportFailures = {
  /**
   * Bytes that are not UTF-8 or not JSON, or JSON that is no object or beyond the limits of its structure.
   */
  json_unreadable: {
    status: 400,
    title: "The body is not a JSON object that this service reads",
    detail:
      "Send one JSON object in UTF-8, with nothing before or after it. `facts.reason` says what is wrong, `facts.line` and " +
      "`facts.column` say where (for bodies up to 256 KiB), and `facts` hold the limit where one is exceeded.",
    retry: "never",
  },
  /**
   * The request failed before any route was known: a broken request line or header, or no Host. The
   * connection is closed.
   */
  http_unreadable: {
    status: 400,
    title: "The request is not valid HTTP",
    detail:
      "Check the request line, the headers and the length of the body. A request of HTTP/1.1 has exactly one header Host.",
    retry: "never",
  },
  /**
   * A request that did not arrive within its time, or a body too slow to do so. The connection is closed.
   */
  request_too_slow: {
    status: 408,
    title: "The request did not arrive in time",
    detail:
      "A request must arrive within a minute. A body that is far behind this pace after ten seconds is cut off. Send it " +
      "again on a new connection.",
    retry: "later",
  },
  /** Refused before it is read completely. */
  body_too_large: {
    status: 413,
    title: "The body is larger than this endpoint accepts",
    detail:
      "`facts.bytesMax` is the limit of this endpoint: what its fields can need, and never more than the operator allows. " +
      "Send smaller images: more than 12 megapixels do not help.",
    retry: "never",
  },
  /** A body of another type than JSON. */
  media_type_unsupported: {
    status: 415,
    title: "The body must be application/json",
    detail: "Send the header Content-Type: application/json.",
    retry: "never",
  },
  /** A compressed body. The answer's header Accept-Encoding is `identity` (RFC 9110, 15.5.16). */
  encoding_unsupported: {
    status: 415,
    title: "The body must not be compressed",
    detail: "Send the body as it is, without the header Content-Encoding.",
    retry: "never",
  },
  /** Refused by the server before it belongs to a route. The connection is closed. */
  headers_too_large: {
    status: 431,
    title: "The headers of the request are too large",
    detail: "Request line and headers may have 16 kB together. Send fewer or shorter headers.",
    retry: "never",
  },
  /**
   * The bodies in flight take all the memory that the operator allows for them, or the thread that reads
   * bodies ended or has a full queue. Nothing was read or judged.
   */
  overloaded: {
    status: 503,
    title: "The service cannot take the body now",
    detail:
      "Wait for the seconds that the header Retry-After names, and send fewer calls at once. `facts.budget` says whether " +
      "the bodies in flight of this key (`key`) or of all callers (`process`) reach the limit; without it, the thread that " +
      "reads bodies is busy or has ended. Operators: IDEM_BODIES_IN_FLIGHT_BYTES, IDEM_BODIES_IN_FLIGHT_BYTES_PER_KEY.",
    retry: "later",
  },
} as const;
