import type { Destination } from "../destinations/destination.ts";
import type { Message, SignMessage } from "./send.ts";

/**
 * The headers of one message. Those of this service come last, so that a custom header never replaces one.
 * `token` is the access token of a destination with OAuth.
 */
export const headersOf = (
  destination: Destination,
  message: Message,
  sign: SignMessage,
  token?: string,
): Readonly<Record<string, string>> => ({
  ...destination.headers,
  ...credentialsOf(destination, token),
  "content-type": message.contentType,
  ...sign({ id: message.id, timestamp: message.at, body: message.body }, destination.secrets),
});

/** The header by which a destination recognises this service. */
export const credentialsOf = (
  { auth }: Pick<Destination, "auth">,
  token?: string,
): Readonly<Record<string, string>> => {
  if (auth.kind === "api-key") return { [auth.header]: auth.value };
  return auth.kind === "oauth2" && token !== undefined ? { authorization: `Bearer ${token}` } : {};
};
