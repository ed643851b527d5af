import { expect, it } from "vitest";
import { imageOf, openFaceEngine } from "#support/face/images";
import { openTokens, tokenAgeMs } from "#support/tokens/open-tokens";
import { makePhotoFaces } from "./compare-with-photo.ts";
import { defaultFacePolicy, type FalseMatchRates, withFalseMatchRates } from "./policy.ts";
import type { FaceCall, FaceService } from "./service.ts";

const engine = openFaceEngine();
const { openToken, seal } = await openTokens();

const facesWith = (falseMatchRates: FalseMatchRates) => {
  const unused = () => Promise.reject(new Error("A comparison records nothing"));
  const service: FaceService = {
    engine: { measure: engine.measure },
    store: { findTransaction: unused },
    recordCall: unused,
    openToken,
    hashAuthentication: unused,
    policy: withFalseMatchRates(defaultFacePolicy, falseMatchRates),
    bestImages: { uses: "operation", ageMs: tokenAgeMs },
    onError: (_, error) => {
      throw error;
    },
  };
  return makePhotoFaces(service);
};

const call: FaceCall = {
  caller: { tenantId: "t", keyId: "k", environment: "test" },
  transactionId: "x",
  receivedAt: new Date(),
  signal: new AbortController().signal,
};

const [template, photo] = [
  Buffer.from(await seal("face-image", imageOf("franck_04035.jpg")), "base64"),
  imageOf("cage.jpg"),
];

const compareWith = async (registry: number, others: number) => {
  const faces = facesWith({ selfie: others, document: others, registry });
  const probe = await faces.openProbe(call, { template });
  return (await faces.compare(probe, photo, call.signal)).judgement;
};

it("the rate for registries decides, on either side of the rate of the pair, and no other rate", {
  timeout: 120_000,
}, async () => {
  const { comparison, use } = await compareWith(1e-2, 1e-2);
  const rate = comparison?.falseMatchRate ?? 0;
  expect(use).toBe("registry");
  expect(rate).toBeGreaterThan(1e-6);
  expect((await compareWith(rate * 1.05, rate / 2)).result).toBe("Positive");
  expect((await compareWith(rate * 0.95, rate * 2)).result).toBe("Negative");
});
