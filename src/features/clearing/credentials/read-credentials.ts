import type { SentCredentials } from "./check-credentials.ts";

/** The credentials of a header `Authorization: Basic` (RFC 7617); undefined for any other text. */
const ofHeader = (authorization: string | undefined): SentCredentials | undefined => {
  const encoded = /^basic ([A-Za-z0-9+/]{0,1200}={0,2})$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const at = text.indexOf(":");
  return at < 0 ? undefined : { user: text.slice(0, at), password: text.slice(at + 1) };
};

/** The fields of the query that carry them in place of the header. */
export type QueryCredentials = { readonly usuario?: string | undefined; readonly clave?: string | undefined };

/**
 * What a caller sends as user and password, in the header or in the query; undefined where it sends none, and
 * where both places hold different ones.
 */
export const readCredentials = (
  authorization: string | undefined,
  { usuario, clave }: QueryCredentials,
): SentCredentials | undefined => {
  const inHeader = ofHeader(authorization);
  if (usuario === undefined && clave === undefined) return inHeader;
  const inQuery = { user: usuario ?? "", password: clave ?? "" };
  if (inHeader === undefined) return authorization === undefined ? inQuery : undefined;
  const isSame = inHeader.user === inQuery.user && inHeader.password === inQuery.password;
  return isSame ? inQuery : undefined;
};
