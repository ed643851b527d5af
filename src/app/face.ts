/** Composition of the faces: the dependencies of their use cases, and their endpoints. */
import type { Endpoint } from "#contract/endpoint";
import { makeAuthenticateFacial } from "#judging/face/authenticate-facial";
import { makeComparePortrait } from "#judging/face/compare-portrait";
import { makeDetokenize } from "#judging/face/detokenize";
import { type EvaluateLiveness, makeEvaluateLiveness } from "#judging/face/evaluate-liveness";
import { makeExtractAttributes } from "#judging/face/extract-attributes";
import { authenticateFacialEndpoint } from "#judging/face/http/authenticate-facial.endpoint";
import { detokenizeEndpoint } from "#judging/face/http/detokenize.endpoint";
import {
  evaluatePassiveLivenessEndpoint,
  evaluatePassiveLivenessTokenEndpoint,
} from "#judging/face/http/evaluate-passive-liveness.endpoint";
import { extractFacialEndpoint } from "#judging/face/http/extract-facial.endpoint";
import { identityEndpoint } from "#judging/face/http/identity.endpoint";
import { showMeshEndpoint } from "#judging/face/http/mesh.endpoint";
import type { FaceEngine } from "#judging/face/measurement";
import type { FaceService } from "#judging/face/service";
import { makeVerifyIdentity, type VerifyIdentity } from "#judging/face/verify-identity";
import { refuseMarkedFaces } from "#sandbox/personas/steer-faces";
import { type ByEnvironment, byEnvironment } from "./by-environment.ts";
import { bestImageLevels } from "./face-policy.ts";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";
import { personaEndpoints, steeredFaces, steerLicence } from "./personas.ts";

const makeFaceService = (
  { config, storage, facePolicy, openToken, recordCall, hashAuthentication, report }: Parts,
  engine: FaceEngine,
): FaceService => ({
  engine,
  openToken,
  store: storage.store,
  recordCall,
  hashAuthentication,
  policy: facePolicy,
  bestImages: {
    uses: config.tokens.bestImageUses,
    ageMs: config.tokens.ageMsMax["best-image"],
    levelMin: bestImageLevels(config),
  },
  onError: (note, error) => report("face", note, error),
});

type FaceUseCases = {
  readonly evaluateLiveness: EvaluateLiveness;
  readonly verifyIdentity: VerifyIdentity;
};

const makeUseCases = (service: FaceService): FaceUseCases => ({
  evaluateLiveness: makeEvaluateLiveness(service),
  verifyIdentity: makeVerifyIdentity(service),
});

/** The use cases of test keys. A persona may be an image of a deployment without a licence of liveness. */
const makeSteeredUseCases = (service: FaceService): FaceUseCases => {
  const { policy } = service;
  const liveness = { ...policy.liveness, isLicensed: false };
  const unlicensed = { ...policy, liveness, version: `${policy.version} persona:unlicensed` };
  return steerLicence(
    service.openToken,
    makeUseCases(service),
    makeUseCases({ ...service, policy: unlicensed }),
  );
};

const makeFaceEndpoints = (
  { config }: Parts,
  service: FaceService,
  { evaluateLiveness, verifyIdentity }: FaceUseCases,
): readonly Endpoint[] => {
  const { bytesMax } = config.images;
  return [
    identityEndpoint(verifyIdentity, bytesMax),
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
  readonly serviceOf: ByEnvironment<FaceService>;
  /**
   * Compares the portrait of a document with a face image, for the diagnostic. Made by
   * {@link makeComparePortrait}.
   */
  readonly comparePortraitOf: ByEnvironment<ReturnType<typeof makeComparePortrait>>;
  /** Made by {@link makeVerifyIdentity}; personas steer those of test keys. */
  readonly verifyIdentityOf: ByEnvironment<VerifyIdentity>;
};

/** Opens comparison, liveness and attributes of faces. */
export const openFaces = (parts: Parts): Faces => {
  const test = makeFaceService(parts, steeredFaces(parts.engine.face));
  const live = makeFaceService(parts, refuseMarkedFaces(parts.engine.face));
  const useCases = { test: makeSteeredUseCases(test), live: makeUseCases(live) };
  const endpoints = personaEndpoints(
    makeFaceEndpoints(parts, test, useCases.test),
    makeFaceEndpoints(parts, live, useCases.live),
    parts,
  );
  return {
    module: {
      name: "face",
      endpoints: [...endpoints, showMeshEndpoint(parts.engine.face, parts.config.images.bytesMax)],
    },
    serviceOf: byEnvironment(test, live),
    comparePortraitOf: byEnvironment(makeComparePortrait(test), makeComparePortrait(live)),
    verifyIdentityOf: byEnvironment(useCases.test.verifyIdentity, useCases.live.verifyIdentity),
  };
};
