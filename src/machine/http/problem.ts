import { Failure, type FailureCode, failureKinds, uniformFailures } from "#contract/failure";
import type { FileAnswer } from "#contract/file-answer";
import type { BaseUrl } from "./base-url.ts";

/** An unsuccessful answer. */
export type Refusal = {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

type ProblemContext = {
  readonly requestId: string;
  readonly baseUrl: BaseUrl;
  /** Challenge of a 401. Default: {@link challenge}. */
  readonly challenge?: string | undefined;
  /** The page for this status, where the route has one and the caller prefers it. */
  readonly pageOf?: (status: number) => FileAnswer | undefined;
};

/** Seconds to wait where the failure itself names none. */
const retryAfterSeconds: Partial<Record<FailureCode, number>> = {
  rate_limited: 1,
  user_paused: 30,
  idempotency_call_running: 1,
  engine_busy: 1,
  overloaded: 1,
  store_unavailable: 5,
  stored_newer: 60,
  shutting_down: 1,
};

const json = "application/json; charset=utf-8";

/** 401 and 504 have their own shapes in the interface. */
const plainMessages: Partial<Record<FailureCode, string>> = {
  unauthorized: "Unauthorized",
  timed_out: "Request timed out",
};

/** RFC 9110, 11.6.1: every 401 names the authentication scheme. */
export const challenge = 'ApiKey realm="idem"';

/** The challenge with the fault of the key, as `error` of RFC 6750 names that of a token. */
const challengeFor = ({ facts: { reason } }: Failure): string =>
  typeof reason === "string" ? `${challenge}, error="${reason}"` : challenge;

/** The same for a route that a browser opens as a link: it then asks its user for the credentials. */
export const challengeOfLinks = `Basic realm="idem", charset="UTF-8", ${challenge}`;

/** The same for a route that takes a bearer token (RFC 6750, 3). */
export const challengeOfBearers = 'Bearer realm="idem"';

/**
 * The answer for a failure: problem details (RFC 9457), the interface's own shape for 401 and 504, or the
 * page of its route.
 */
export const refuse = (failure: Failure, context: ProblemContext): Refusal => {
  const kind = failureKinds[failure.code];
  const headers = headersOf(failure, context.challenge ?? challengeFor(failure));
  const page = context.pageOf?.(kind.status);
  if (page !== undefined) {
    const { contentType, parts } = page;
    const body = Buffer.concat(parts).toString("utf8");
    return { status: kind.status, contentType, headers: { ...headers, ...page.headers }, body };
  }
  const message = plainMessages[failure.code];
  if (message !== undefined) {
    return { status: kind.status, contentType: json, headers, body: JSON.stringify({ message }) };
  }
  const body = JSON.stringify(problem(failure, context));
  return { status: kind.status, contentType: "application/problem+json; charset=utf-8", headers, body };
};

const problem = (failure: Failure, { requestId, baseUrl }: ProblemContext) => {
  const kind = failureKinds[failure.code];
  const { errors, code, retryAfterSeconds: _, ...facts } = failure.facts;
  return {
    type: `${baseUrl()}/errors/${failure.code}`,
    title: kind.title,
    status: kind.status,
    detail: kind.detail,
    failure: failure.code,
    ...(code !== undefined && { code }),
    ...(errors !== undefined && { errors }),
    ...(Object.keys(facts).length > 0 && { facts }),
    ...(!uniformFailures.includes(failure.code) && { requestId }),
  };
};

const headersOf = (failure: Failure, ofUnauthorized: string): Readonly<Record<string, string>> => {
  const seconds = failure.facts["retryAfterSeconds"] ?? retryAfterSeconds[failure.code];
  return {
    ...(seconds !== undefined && { "retry-after": String(seconds) }),
    ...(failure.code === "unauthorized" && { "www-authenticate": ofUnauthorized }),
    ...(failure.code === "encoding_unsupported" && { "accept-encoding": "identity" }),
  };
};

/** Failures of the framework's own errors. */
const byStatus: Readonly<Record<number, FailureCode>> = {
  400: "json_unreadable",
  404: "path_unknown",
  414: "request_invalid",
  415: "media_type_unsupported",
};

/** The failure of an error. An error that is neither ours nor the framework's is an internal error. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof Failure) return error;
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  const code = typeof status === "number" ? byStatus[status] : undefined;
  return new Failure(code ?? "internal_error", {}, { cause: error });
};
