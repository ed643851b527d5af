/** Composition of the faces: what their use cases take, and their endpoints. */
import type { Endpoint } from "./contract/endpoint.ts";
import { makeAuthenticateFacial } from "./face/authenticate-facial.ts";
import { makeDetokenize } from "./face/detokenize.ts";
import { makeEvaluateLiveness } from "./face/evaluate-liveness.ts";
import { makeExtractAttributes } from "./face/extract-attributes.ts";
import { authenticateFacialEndpoint } from "./face/http/authenticate-facial.endpoint.ts";
import { detokenizeEndpoint } from "./face/http/detokenize.endpoint.ts";
import {
  evaluatePassiveLivenessEndpoint,
  evaluatePassiveLivenessTokenEndpoint,
} from "./face/http/evaluate-passive-liveness.endpoint.ts";
import { extractFacialEndpoint } from "./face/http/extract-facial.endpoint.ts";
import { identityEndpoint } from "./face/http/identity.endpoint.ts";
import type { FaceService } from "./face/service.ts";
import { makeVerifyIdentity } from "./face/verify-identity.ts";
import type { Parts } from "./parts.ts";

export const makeFaceService = ({
  config,
  storage,
  engine,
  facePolicy,
  openToken,
  report,
}: Parts): FaceService => ({
  engine: engine.face,
  openToken,
  store: storage.store,
  policy: facePolicy,
  bestImageTokenAgeMs: config.tokens.ageMsMax["best-image"],
  onError: (note, error) => report("face", note, error),
});

export const makeFaceEndpoints = ({ config }: Parts, service: FaceService): readonly Endpoint[] => {
  const { bytesMax } = config.images;
  const evaluateLiveness = makeEvaluateLiveness(service);
  return [
    identityEndpoint(makeVerifyIdentity(service), bytesMax),
    authenticateFacialEndpoint(makeAuthenticateFacial(service), bytesMax),
    evaluatePassiveLivenessEndpoint(evaluateLiveness, bytesMax),
    evaluatePassiveLivenessTokenEndpoint(evaluateLiveness),
    extractFacialEndpoint(makeExtractAttributes(service), bytesMax),
    detokenizeEndpoint(makeDetokenize(service)),
  ];
};
