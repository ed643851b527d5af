import { isIP } from "node:net";
import { isCountryCode } from "#contract/country";

const isHttpUrl = (text: string): boolean =>
  /^https?:\/\/[^\s/?#@]+(\/\S*)?$/.test(text) && URL.canParse(text);

/** An origin: a base address for paths. */
const isOrigin = (text: string): boolean => isHttpUrl(text) && !/[?#]|\/$/.test(text);

/**
 * A host name whose last part is not a number: an all-numeric text is meant as an address, and a wrong one.
 */
const isHost = (text: string): boolean =>
  isIP(text) !== 0 ||
  (text.length <= 253 &&
    /^([A-Za-z0-9_]([A-Za-z0-9_-]{0,62})\.)*[A-Za-z_][A-Za-z0-9_-]{0,62}\.?$/.test(text));

/** Names of ranges that the server's library knows. */
const rangeNames: readonly string[] = ["loopback", "linklocal", "uniquelocal"];

/** An address, or a range such as 10.0.0.0/8. */
const isRange = (text: string): boolean => {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  const isWidth =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32));
  return version !== 0 && isWidth && rest.length === 0;
};

/** An address, a range, or the name of one. */
const isProxy = (text: string): boolean => rangeNames.includes(text) || isRange(text);

/** It becomes a header: no line end may add another. */
const isHeaderValue = (text: string): boolean => /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text);

/**
 * User name and password with a colon between them (RFC 7617, 2): no colon in the name, no control
 * characters.
 */
const isBasic = (text: string): boolean => /^[^:\p{Cc}]+:[^\p{Cc}]+$/u.test(text);

/** Checks beyond the schema, by variable; the schema's `shape` states the same in words. */
export const shapes: Readonly<Record<string, (text: string) => boolean>> = {
  IDEM_HOST: isHost,
  IDEM_PUBLIC_URL: isOrigin,
  IDEM_DATABASE_URL: (text) => /^postgres(ql)?:\/\/\S+$/.test(text) && URL.canParse(text),
  IDEM_S3_ENDPOINT: isHttpUrl,
  IDEM_MORPHOLOGY_URL: isOrigin,
  IDEM_TIMESTAMP_AUTHORIZATION: isHeaderValue,
  IDEM_SIGNER_URL: isHttpUrl,
  IDEM_TRACES_URL: isHttpUrl,
  IDEM_TRACES_AUTHORIZATION: isHeaderValue,
  IDEM_CLEARING_URL: isOrigin,
  IDEM_CLEARING_TEST_URL: isOrigin,
  IDEM_CLEARING_BASIC: isBasic,
  IDEM_CLEARING_TEST_BASIC: isBasic,
  IDEM_SIGNER_AUTHORIZATION: isHeaderValue,
  IDEM_EGRESS_PROXY: (text) => /^http:\/\/\S+$/.test(text) && URL.canParse(text),
  IDEM_DEFAULT_COUNTRY: isCountryCode,
};

/** Checks of each item of a comma-separated value, by variable. */
export const itemShapes: Readonly<Record<string, (item: string) => boolean>> = {
  IDEM_TRUSTED_PROXIES: isProxy,
  IDEM_TIMESTAMP_URL: isHttpUrl,
  IDEM_EGRESS_ALLOW: isRange,
  IDEM_TEST_RECEIVERS: isHost,
};
