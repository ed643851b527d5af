import { createPrivateKey, X509Certificate } from "node:crypto";
import type { ClientTls } from "#machine/egress/egress";
import { checked, type Reading } from "./reading.ts";
import { readHeaderSecret, readNamedFile, readSecretFile } from "./secret-file.ts";
import type { GatewayAuth } from "./settings.ts";
import { shapes } from "./settings-schema.ts";

/** Headers of HTTP itself, or of this service. */
export const reservedHeaders: readonly string[] = [
  "accept-encoding",
  "authorization",
  "connection",
  "content-length",
  "content-type",
  "host",
  "proxy-authorization",
  "transfer-encoding",
  "upgrade",
];

/** How the gateway names itself to the registry; undefined with problems. */
export const readAuth = (reading: Reading, place: string, value: unknown): GatewayAuth | undefined => {
  if (value === undefined) return { kind: "none" };
  const named = checked(reading, shapes.auth, place, value);
  if (named === undefined) return undefined;
  const readers = { none: readNone, key: readKey, basic: readBasic, oauth2: readOAuth } as const;
  return readers[named.kind](reading, place, value);
};

const readNone = (reading: Reading, place: string, value: unknown): GatewayAuth | undefined =>
  checked(reading, shapes.none, place, value);

const readKey = (reading: Reading, place: string, value: unknown): GatewayAuth | undefined => {
  const found = checked(reading, shapes.key, place, value);
  if (found === undefined) return undefined;
  const header = found.header.toLowerCase();
  // A key may be the whole header Authorization.
  if (header !== "authorization" && reservedHeaders.includes(header)) {
    reading.problems.push(`${place}/header: ${header} is a header of HTTP itself`);
    return undefined;
  }
  const secret = readHeaderSecret(reading, `${place}/secretFile`, found.secretFile);
  return secret === undefined ? undefined : { kind: "key", header, secret };
};

const readBasic = (reading: Reading, place: string, value: unknown): GatewayAuth | undefined => {
  const found = checked(reading, shapes.basic, place, value);
  if (found === undefined) return undefined;
  // RFC 7617, 2.
  if (found.user.includes(":")) {
    reading.problems.push(`${place}/user: a user name has no colon`);
    return undefined;
  }
  const password = readSecretFile(reading, `${place}/passwordFile`, found.passwordFile);
  return password === undefined ? undefined : { kind: "basic", user: found.user, password };
};

const readOAuth = (reading: Reading, place: string, value: unknown): GatewayAuth | undefined => {
  const found = checked(reading, shapes.oauth2, place, value);
  if (found === undefined) return undefined;
  const { clientSecretFile, tokenUrl, clientId, scope, credentialsIn = "header" } = found;
  const fault = reading.judgeUrl(tokenUrl);
  if (fault !== undefined) reading.problems.push(`${place}/tokenUrl: ${fault}`);
  const clientSecret = readSecretFile(reading, `${place}/clientSecretFile`, clientSecretFile);
  if (fault !== undefined || clientSecret === undefined) return undefined;
  return {
    kind: "oauth2",
    tokenUrl,
    clientId,
    clientSecret,
    ...(scope !== undefined && { scope }),
    credentialsIn,
  };
};

/** The client certificate of mutual TLS; undefined with problems. */
export const readTls = (
  reading: Reading,
  place: string,
  files: { readonly certificateFile: string; readonly keyFile: string; readonly caFile?: string },
): ClientTls | undefined => {
  const certificate = readNamedFile(reading, `${place}/certificateFile`, files.certificateFile);
  const key = readSecretFile(reading, `${place}/keyFile`, files.keyFile);
  const { caFile } = files;
  const ca = caFile === undefined ? undefined : readNamedFile(reading, `${place}/caFile`, caFile);
  if (certificate === undefined || key === undefined || (caFile !== undefined && ca === undefined)) {
    return undefined;
  }
  const fault = tlsFault(certificate, key, ca);
  if (fault !== undefined) reading.problems.push(`${place}${fault}`);
  return fault === undefined ? { certificate, key, ...(ca !== undefined && { ca }) } : undefined;
};

const tlsFault = (certificate: string, key: string, ca: string | undefined): string | undefined => {
  const own = certificateOf(certificate);
  if (own === undefined) return "/certificateFile: holds no certificate in PEM";
  if (ca !== undefined && certificateOf(ca) === undefined) return "/caFile: holds no certificate in PEM";
  try {
    return own.checkPrivateKey(createPrivateKey(key))
      ? undefined
      : "/keyFile: the key does not belong to the certificate";
  } catch {
    return "/keyFile: holds no private key in PEM without a password";
  }
};

/** The first certificate of a PEM text. */
const certificateOf = (pem: string): X509Certificate | undefined => {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
};
