import type { IncomingHttpHeaders } from "node:http";
import { Failure } from "#contract/failure";
import { type RequestFault, wrong } from "#contract/request";
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

/** The caller's own request id where it is safe in a log, else a new one. */
export const requestIdOf = (headers: IncomingHttpHeaders, makeId: () => string): string => {
  const own = headers["x-request-id"];
  return typeof own === "string" && saneRequestId.test(own) ? own : makeId();
};

export type CallHeaders = { readonly appName?: string; readonly family?: string };

/** Most characters of `app-name`; the server bounds all headers together. */
export const appNameLengthMax = 200;

/** The value of a header; an empty one counts as left out, like an empty field. */
const headerOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};

/**
 * `app-name`, of any form within its length, and `family`. Both are optional, and wrong values fail with
 * request_invalid.
 */
export const readCallHeaders = (headers: IncomingHttpHeaders): CallHeaders => {
  const appName = headerOf(headers, "app-name");
  const family = headerOf(headers, "family");
  const faults: RequestFault[] = [];
  if (appName !== undefined && appName.length > appNameLengthMax) {
    faults.push(wrong("app-name", `must not have more than ${appNameLengthMax} characters`));
  }
  if (family !== undefined && !isFamily(family)) {
    faults.push(wrong("family", `must be one of ${familyHeaderValues.join(", ")}`));
  }
  if (faults.length > 0) throw headerFailure(faults);
  return {
    ...(appName !== undefined && { appName }),
    ...(family !== undefined && { family }),
  };
};

const isFamily = (family: string): boolean => familyHeaderValues.some((value) => value === family);

/** The refusal of a request for its headers. */
export const headerFailure = (faults: readonly RequestFault[]): Failure =>
  new Failure("request_invalid", {
    errors: faults.map(({ field, message }) => `header ${field}: ${message}`),
    code: validationCode.parameterInvalid.code,
  });
