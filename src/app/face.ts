/** Composition of the faces: the dependencies of their use cases, and their endpoints. */
import type { Endpoint } from "#contract/endpoint";
import { makeAuthenticateFacial } from "#face/authenticate-facial";
import { makeComparePortrait } from "#face/compare-portrait";
import { makeDetokenize } from "#face/detokenize";
import { makeEvaluateLiveness } from "#face/evaluate-liveness";
import { makeExtractAttributes } from "#face/extract-attributes";
import { authenticateFacialEndpoint } from "#face/http/authenticate-facial.endpoint";
import { detokenizeEndpoint } from "#face/http/detokenize.endpoint";
import {
  evaluatePassiveLivenessEndpoint,
  evaluatePassiveLivenessTokenEndpoint,
} from "#face/http/evaluate-passive-liveness.endpoint";
import { extractFacialEndpoint } from "#face/http/extract-facial.endpoint";
import { identityEndpoint } from "#face/http/identity.endpoint";
import type { FaceService } from "#face/service";
import { makeVerifyIdentity } from "#face/verify-identity";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";

const makeFaceService = ({
  config,
  storage,
  engine,
  facePolicy,
  openToken,
  recordCall,
  hashAuthentication,
  report,
}: Parts): FaceService => ({
  engine: engine.face,
  openToken,
  store: storage.store,
  recordCall,
  hashAuthentication,
  policy: facePolicy,
  bestImages: { uses: config.tokens.bestImageUses, ageMs: config.tokens.ageMsMax["best-image"] },
  onError: (note, error) => report("face", note, error),
});

const makeFaceEndpoints = ({ config }: Parts, service: FaceService): readonly Endpoint[] => {
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

/** Faces as a module, and the ports that users and documents use. Made by {@link openFaces}. */
export type Faces = {
  readonly module: Module;
  readonly service: FaceService;
  /**
   * Compares the portrait of a document with a face image, for the diagnostic. Made by
   * {@link makeComparePortrait}.
   */
  readonly comparePortrait: ReturnType<typeof makeComparePortrait>;
};

/** Opens comparison, liveness and attributes of faces. */
export const openFaces = (parts: Parts): Faces => {
  const service = makeFaceService(parts);
  return {
    module: { name: "face", endpoints: makeFaceEndpoints(parts, service) },
    service,
    comparePortrait: makeComparePortrait(service),
  };
};
