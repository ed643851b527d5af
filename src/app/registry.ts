/**
 * Composition of the civil registries: the validation of persons, and the check of documents against them.
 */
import { randomUUID } from "node:crypto";
import type { Caller, Endpoint } from "#contract/endpoint";
import type { AskDeps } from "#features/registry/ask-registry";
import { makeCheckDocument } from "#features/registry/check-document";
import { makeCivilValidation } from "#features/registry/civil-validation";
import { civilValidationEndpoint } from "#features/registry/http/civil-validation.endpoint";
import type { FindRegistry } from "#features/registry/registry";
import type { CivilRegistry } from "#judging/document/decision/watchlists/civil-registry";
import type { DocumentEngine } from "#judging/document/reading/engine";
import type { StartValidation } from "#judging/document/validation/start-validation";
import { makePhotoFaces } from "#judging/face/compare-with-photo";
import type { FaceService } from "#judging/face/service";
import { refuseMarkedDocuments } from "#sandbox/personas/steer-documents";
import type { ByEnvironment } from "./by-environment.ts";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";
import { personaEndpoints, steeredDocuments } from "./personas.ts";

const askDepsOf = ({ storage }: Pick<Parts, "storage">, findRegistry: FindRegistry): AskDeps => ({
  findRegistry,
  recordEvidence: storage.store.recordEvidence,
  keyring: storage.keyring,
  newId: randomUUID,
});

/** The check of documents, where the operator switched it on: each question has a price. */
export const openDocumentCheck = (parts: Parts, findRegistry: FindRegistry): CivilRegistry | undefined =>
  parts.config.registries.checksDocuments
    ? makeCheckDocument({
        ...askDepsOf(parts, findRegistry),
        clock: parts.clock,
        onError: (note, error) => parts.report("registry", note, error),
      })
    : undefined;

/** Opens the validation of persons against civil registries. */
export const openCivilValidation = (
  parts: Parts,
  deps: {
    readonly findRegistry: FindRegistry;
    readonly faceServiceOf: ByEnvironment<FaceService>;
    readonly startValidationOf: ByEnvironment<StartValidation>;
  },
): Module => {
  const endpointOf = (of: Pick<Caller, "environment">, document: DocumentEngine): Endpoint =>
    makeCivilEndpoint(parts, {
      findRegistry: deps.findRegistry,
      document,
      faceService: deps.faceServiceOf(of),
      startValidation: deps.startValidationOf(of),
    });
  const { document } = parts.engine;
  const test = endpointOf({ environment: "test" }, steeredDocuments(document));
  const live = endpointOf({ environment: "live" }, refuseMarkedDocuments(document));
  return { name: "registry", endpoints: personaEndpoints([test], [live], parts) };
};

type CivilParts = {
  readonly findRegistry: FindRegistry;
  readonly document: DocumentEngine;
  readonly faceService: FaceService;
  readonly startValidation: StartValidation;
};

const makeCivilEndpoint = (
  parts: Parts,
  { findRegistry, document, faceService, startValidation }: CivilParts,
): Endpoint => {
  const { config, engine, documentPolicy, openToken, recordCall, hashAuthentication } = parts;
  const validate = makeCivilValidation({
    ...askDepsOf(parts, findRegistry),
    openToken,
    documents: { engine: document, policy: documentPolicy, collectFields: engine.collectFields },
    faces: makePhotoFaces(faceService),
    startValidation,
    recordCall,
    hashAuthentication,
  });
  return civilValidationEndpoint({ validate, imageBytesMax: config.images.bytesMax });
};
