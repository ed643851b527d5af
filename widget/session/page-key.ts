import type { PageKey } from "#judging/face/challenge/container";
import { pageKeyAlgorithm } from "#judging/face/challenge/container-signature";
import { PageError } from "./call.ts";

/** The key of this page. Its private half cannot leave the browser, and it ends with the page. */
export type OwnKey = { readonly publicKey: PageKey; readonly privateKey: CryptoKey };

export const makePageKey = async (): Promise<OwnKey> => {
  // A page that is not secure has neither keys nor a camera.
  if (!("subtle" in crypto)) throw new PageError("camera_insecure", 0);
  const pair = await crypto.subtle.generateKey(pageKeyAlgorithm, false, ["sign", "verify"]);
  const { x = "", y = "" } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  return { publicKey: { kty: "EC", crv: "P-256", x, y }, privateKey: pair.privateKey };
};
