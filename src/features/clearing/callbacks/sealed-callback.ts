import { type Static, Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { type ContentKeyring, type ContentSealing, makeContentSealing } from "../sealed-content.ts";

const content = Type.Object({
  url: Type.String(),
  /** The verification token that the call answered. */
  hash: Type.String(),
  /** ISO 8601; end of the token. */
  expiresAt: Type.String(),
});

/** The part of a callback that its row keeps sealed until it is settled. */
export type CallbackContent = Static<typeof content>;

const contentShape = makeCheck(content);

export type CallbackSealing = ContentSealing<CallbackContent>;

export const makeCallbackSealing = (keyring: ContentKeyring): CallbackSealing =>
  makeContentSealing(keyring, "callback", (opened) => contentShape.Check(opened));
