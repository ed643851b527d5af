import { type RequestFault, wrong } from "#contract/request";

/** A header of the caller, as the request lists it. */
export type NamedHeader = { readonly name: string; readonly value: string };

export const headersMax = 20;
export const headerNameLengthMax = 64;
/** Access tokens in headers can be long; servers take some 8 to 16 kB of headers in all. */
export const headerValueLengthMax = 2_048;

/** Headers of one connection (RFC 9110, 7.6.1) and of the framing of a message. */
const ofConnection = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
  "host",
  "content-length",
  "content-encoding",
  "expect",
];

/** Headers that this service sets on every message. */
const ofMessage = ["content-type", "accept-encoding", "date", "user-agent"];

/**
 * The signature of Standard Webhooks, the handshake of CloudEvents, and attributes of a CloudEvent in binary
 * form.
 */
const ofEvents = /^(webhook-|ce-)/;

/** RFC 9110, 5.6.2: a token. */
const nameShape = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Visible ASCII, with spaces inside: no line end can add a header. */
const valueShape = /^[\x21-\x7e]+( +[\x21-\x7e]+)*$/;

/** Why a header may not have this name; undefined for an acceptable one. */
const nameProblem = (name: string): string | undefined => {
  const lower = name.toLowerCase();
  if (!nameShape.test(name) || name.length > headerNameLengthMax) {
    return `is no header name of at most ${headerNameLengthMax} letters, digits and hyphens`;
  }
  if (ofConnection.includes(lower)) return "belongs to the connection, which this service makes";
  if (ofMessage.includes(lower) || ofEvents.test(lower)) return "is set by this service";
  return undefined;
};

/** The fault of a header's name; the sentence holds the name, which is no secret. */
export const nameFaults = (field: string, name: string): readonly RequestFault[] => {
  const problem = nameProblem(name);
  return problem === undefined ? [] : [wrong(field, `${JSON.stringify(name.slice(0, 80))} ${problem}`)];
};

/** The fault of a header's value. The sentence never holds the value: it may be a secret. */
export const valueFaults = (field: string, value: string): readonly RequestFault[] =>
  valueShape.test(value) && value.length <= headerValueLengthMax
    ? []
    : [
        wrong(
          field,
          `has ${value.length} characters, and must be 1 to ${headerValueLengthMax} printable ASCII characters, without a space at its ends`,
        ),
      ];

/** The faults of the custom headers of a destination. */
export const headerFaults = (headers: readonly NamedHeader[]): readonly RequestFault[] => {
  if (headers.length > headersMax) {
    return [wrong("headers", `has ${headers.length} items, and at most ${headersMax} are allowed`)];
  }
  const names = headers.map(({ name }) => name.toLowerCase());
  return headers.flatMap(({ name, value }, at) => [
    ...nameFaults(`headers.${at}.name`, name),
    ...(names[at] === "authorization"
      ? [wrong(`headers.${at}.name`, '"authorization" stands in auth: kind api-key, header authorization')]
      : []),
    ...(names.indexOf(names[at] ?? "") < at
      ? [wrong(`headers.${at}.name`, `${JSON.stringify(name)} is there twice`)]
      : []),
    ...valueFaults(`headers.${at}.value`, value),
  ]);
};
