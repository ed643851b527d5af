import { stepFrames } from "#judging/face/challenge/challenge";
import { type FrameHead, type PageKey, parsePageKey } from "#judging/face/challenge/container";
import { pageKeyAlgorithm, thumbprintOf } from "#judging/face/challenge/container-signature";

/** The key of a page, as a browser makes it. */
export const makePageKey = async (): Promise<{
  readonly publicKey: PageKey;
  readonly privateKey: CryptoKey;
  readonly thumbprint: string;
}> => {
  const pair = await crypto.subtle.generateKey(pageKeyAlgorithm, false, ["sign", "verify"]);
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const publicKey = parsePageKey({ kty, crv, x, y });
  if (publicKey === undefined) throw new Error("WebCrypto made no key of P-256");
  return { publicKey, privateKey: pair.privateKey, thumbprint: await thumbprintOf(publicKey) };
};

/** The places of a capture with this many steps: the best image, then six frames a step, 120 ms apart. */
export const placesOf = (steps: number): readonly FrameHead[] => [
  { step: -1, index: 0, capturedMs: 0 },
  ...Array.from({ length: steps }, (_, step) =>
    Array.from({ length: stepFrames }, (__, index) => ({
      step,
      index,
      capturedMs: 1000 + 3000 * step + 120 * index,
    })),
  ).flat(),
];
