import type { IncomingHttpHeaders } from "node:http";
import { Failure } from "#contract/failure";
import { missing, type RequestFault, wrong } from "#contract/request";
import { familyHeaderValues } from "#contract/tracking-code";
import { validationCode } from "#contract/validation-code";

/** The interface is for servers: no browser may frame, sniff, cache or embed it. */
const securityHeaders: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Two years, as required by browsers' preload lists. */
const transportSecurity = { "strict-transport-security": "max-age=63072000; includeSubDomains" };

/** Headers of every answer, also to unreadable requests. Pages may override them. */
export const headersOfEveryAnswer = ({
  isBehindTls = false,
}: {
  readonly isBehindTls?: boolean;
}): Readonly<Record<string, string>> => ({ ...securityHeaders, ...(isBehindTls && transportSecurity) });

const saneRequestId = /^[A-Za-z0-9._:/+=-]{1,128}$/;
const printable = /^[\x20-\x7e]{1,200}$/;

/** The caller's own request id where it is safe in a log, else a new one. */
export const requestIdOf = (headers: IncomingHttpHeaders, makeId: () => string): string => {
  const own = headers["x-request-id"];
  return typeof own === "string" && saneRequestId.test(own) ? own : makeId();
};

export type CallHeaders = { readonly appName?: string; readonly family?: string };

/**
 * User agents of the mobile systems' own libraries: Android's, and Apple's on its devices. Libraries that
 * servers use as well, such as okhttp, prove nothing.
 */
const mobileAgent = /\b(?:Dalvik\/|Android|iPhone|iPad|CFNetwork\/)/;

/**
 * `app-name` and `family`: wrong values fail with request_invalid. Where a route requires the app's name, a
 * call from a phone must carry it.
 */
export const readCallHeaders = (
  headers: IncomingHttpHeaders,
  { needsAppName = false }: { readonly needsAppName?: boolean } = {},
): CallHeaders => {
  const appName = headers["app-name"];
  const family = headers["family"];
  const faults: RequestFault[] = [];
  if (needsAppName && appName === undefined && mobileAgent.test(headers["user-agent"] ?? "")) {
    faults.push(missing("app-name"));
  }
  if (appName !== undefined && !(typeof appName === "string" && printable.test(appName))) {
    faults.push(wrong("app-name", "must be 1 to 200 printable ASCII characters"));
  }
  if (family !== undefined && !(typeof family === "string" && isFamily(family))) {
    faults.push(wrong("family", `must be one of ${familyHeaderValues.join(", ")}`));
  }
  if (faults.length > 0) throw headerFailure(faults);
  return {
    ...(typeof appName === "string" && { appName }),
    ...(typeof family === "string" && { family }),
  };
};

const isFamily = (family: string): boolean => familyHeaderValues.some((value) => value === family);

/** The refusal of a request for its headers. */
export const headerFailure = (faults: readonly RequestFault[]): Failure =>
  new Failure("request_invalid", {
    errors: faults.map(({ field, message }) => `header ${field}: ${message}`),
    code: validationCode.parameterInvalid.code,
  });
