/**
 * Composition of the documents: the dependencies of a validation, the loop that runs validations, the
 * endpoints.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Endpoint } from "#contract/endpoint";
import { decideDocument } from "#judging/document/decision/decide";
import { type CompareFaces, makeDiagnoseDocument } from "#judging/document/decision/diagnose-document";
import { makeExtractDocument } from "#judging/document/decision/extract-document";
import type { LookUpHistory } from "#judging/document/decision/history/history";
import { withHistoryChecks } from "#judging/document/decision/history/velocity";
import type { CivilRegistry } from "#judging/document/decision/watchlists/civil-registry";
import { withWatchlists } from "#judging/document/decision/watchlists/with-watchlists";
import { extractDocumentDataEndpoint } from "#judging/document/http/extract-document-data.endpoint";
import { extractDocumentDataWebEndpoint } from "#judging/document/http/extract-document-data-web.endpoint";
import { padDiagnosticEndpoint } from "#judging/document/http/pad-diagnostic.endpoint";
import { startValidationEndpoint } from "#judging/document/http/start-validation.endpoint";
import { startValidationV1Endpoint } from "#judging/document/http/start-validation-v1.endpoint";
import { validationDataEndpoints } from "#judging/document/http/validation-data.endpoint";
import { validationStatusEndpoints } from "#judging/document/http/validation-status.endpoint";
import { makeDescribeValidation } from "#judging/document/http/wire-record";
import type { DocumentEngine } from "#judging/document/reading/engine";
import { makeEndWaiting } from "#judging/document/validation/end-waiting";
import { makeFailValidation, type RunValidation } from "#judging/document/validation/outcome";
import { makeRunWithProvider } from "#judging/document/validation/provider/run-with-provider";
import { makeRunValidation } from "#judging/document/validation/run-validation";
import { makeSealing } from "#judging/document/validation/sealed";
import { makeStartValidation, type StartValidation } from "#judging/document/validation/start-validation";
import { makeTrackValidation } from "#judging/document/validation/track-validation";
import {
  defaultValidationLoopOptions,
  makeValidationJobs,
} from "#judging/document/validation/validation-jobs";
import { type LeaseLoop, makeLeaseLoop } from "#record/jobs/lease-loop";
import { steerDecision } from "#sandbox/personas/steer-decision";
import { refuseMarkedDocuments } from "#sandbox/personas/steer-documents";
import type { PublishedKeys } from "#trust/tokens/seal";
import { type ByEnvironment, byEnvironment } from "./by-environment.ts";
import { openDocumentProvider } from "./document-provider.ts";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";
import { personaEndpoints, steeredDocuments } from "./personas.ts";
import { openReviews } from "./reviews.ts";
import { makeSealForCaller } from "./seal-for-caller.ts";

type DocumentParts = Parts & { readonly publishedKeys: () => PublishedKeys };

/** Adds the operator's own document models to the models that each decision names. */
const withOwnModels = (engine: DocumentEngine, { own }: Parts["documentModels"]): DocumentEngine =>
  own === undefined ? engine : { ...engine, models: { ...engine.models, "own-document-models": own.sha256 } };

/** Dependencies that the steps of a validation share. */
const makeValidationDeps = (
  { config, storage, engine, documentPolicy, documentModels, peps, trackDecision, clock }: Parts,
  lookUpHistory: LookUpHistory,
  registry: CivilRegistry | undefined,
) => ({
  collectFields: engine.collectFields,
  lookUpHistory: withHistoryChecks(
    withWatchlists(lookUpHistory, { ...(peps && { peps }), ...(registry && { registry }) }),
    {
      ...storage,
      policy: documentPolicy,
      clock,
    },
  ),
  blobs: storage.blobs,
  sealing: makeSealing(storage.keyring),
  trackValidation: makeTrackValidation(trackDecision, makeDescribeValidation(config.reasonCodes)),
  engine: withOwnModels(engine.document, documentModels),
  decide: decideDocument,
  policy: documentPolicy,
  clock,
  newId: randomUUID,
});

type ValidationDeps = ReturnType<typeof makeValidationDeps>;

/** The dependencies for test keys, which steer personas, and for live keys, which refuse personas. */
const depsByEnvironment = (deps: ValidationDeps): ByEnvironment<ValidationDeps> =>
  byEnvironment(
    { ...deps, engine: steeredDocuments(deps.engine), decide: steerDecision(deps.decide) },
    { ...deps, engine: refuseMarkedDocuments(deps.engine) },
  );

const test = { environment: "test" } as const;
const live = { environment: "live" } as const;

/** Runs a validation in this service, or with the external provider that the configuration names. */
const makeRun = (
  { config: { morphology }, egress, storage: { store } }: Parts,
  deps: ValidationDeps,
  holder: string,
  onError: (operation: string, id: string | undefined, error: unknown) => void,
): RunValidation => {
  const provider = openDocumentProvider({ morphology }, egress);
  if (provider === undefined || morphology.provider === "local") return makeRunValidation(deps);
  const { givenUpAfterMs } = morphology;
  return makeRunWithProvider({ ...deps, provider, store, holder, givenUpAfterMs, onError });
};

const makeValidationLoop = (
  parts: Parts,
  deps: ValidationDeps,
  depsOf: ByEnvironment<ValidationDeps>,
): LeaseLoop => {
  const { config, storage, report, lock, clock } = parts;
  const holder = `${hostname()}/${process.pid}/${randomUUID()}`;
  const onError = (operation: string, id: string | undefined, error: unknown): void =>
    report("documentValidation", `Could not ${operation}`, error, id);
  const runOf = byEnvironment(
    makeRun(parts, depsOf(test), holder, onError),
    makeRun(parts, depsOf(live), holder, onError),
  );
  return makeLeaseLoop({
    jobs: makeValidationJobs({
      store: storage.store,
      holder,
      runValidation: async (validation, signal) => await runOf(validation)(validation, signal),
      failValidation: makeFailValidation(deps),
      clock,
    }),
    clock,
    lock,
    random: Math.random,
    onError: (operation, job, error) => onError(operation === "run" ? "validate" : operation, job?.id, error),
    options: {
      ...defaultValidationLoopOptions,
      // One validation for each inference thread.
      concurrency: config.inference.workers,
      leaseMs: config.validation.leaseMs,
    },
  });
};

const makeDocumentEndpoints = (
  { config, storage, engine, openToken, recordCall, publishedKeys }: DocumentParts,
  deps: ValidationDeps,
  startValidation: StartValidation,
  compareFaces: CompareFaces,
): readonly Endpoint[] => {
  const { store } = storage;
  const held = { store, sealing: deps.sealing };
  const extractDocument = makeExtractDocument({ ...deps, recordCall });
  const start = { startValidation, imageBytesMax: config.images.bytesMax };
  const extract = {
    openToken,
    extractDocument,
    findDefaultCountry: async (tenantId: string) =>
      (await store.findDefaultCountry(tenantId)) ?? config.defaultCountry,
    sealFace: makeSealForCaller("face-image", publishedKeys),
  };
  return [
    startValidationEndpoint(start),
    startValidationV1Endpoint(start),
    ...validationStatusEndpoints(held),
    ...validationDataEndpoints(held, config.reasonCodes),
    ...openReviews({ ...deps, store }, engine),
    extractDocumentDataEndpoint(extract),
    extractDocumentDataWebEndpoint(extract),
    padDiagnosticEndpoint({
      openToken,
      diagnoseDocument: makeDiagnoseDocument({ ...deps, recordCall, compareFaces }),
      imageBytesMax: config.images.bytesMax,
    }),
  ];
};

/**
 * Documents as a module, and the start of a validation, which other calls use. Made by {@link openDocuments}.
 */
export type Documents = {
  readonly module: Module;
  readonly startValidationOf: ByEnvironment<StartValidation>;
};

/** Opens reading, validation, review and diagnostic of documents. */
export const openDocuments = (
  parts: DocumentParts,
  lookUpHistory: LookUpHistory,
  compareFacesOf: ByEnvironment<CompareFaces>,
  registry: CivilRegistry | undefined,
): Documents => {
  const deps = makeValidationDeps(parts, lookUpHistory, registry);
  const depsOf = depsByEnvironment(deps);
  const loop = makeValidationLoop(parts, deps, depsOf);
  const endWaiting = makeEndWaiting({
    ...deps,
    store: parts.storage.store,
    onError: (operation, id, error) =>
      parts.report("documentValidation", `Could not ${operation}`, error, id),
  });
  const { store } = parts.storage;
  const { trackCall } = parts;
  const starting = { store, trackCall, wake: loop.wake };
  const startValidationOf = byEnvironment(
    makeStartValidation({ ...depsOf(test), ...starting }),
    makeStartValidation({ ...depsOf(live), ...starting }),
  );
  const endpointsOf = (of: typeof test | typeof live) =>
    makeDocumentEndpoints(parts, depsOf(of), startValidationOf(of), compareFacesOf(of));
  const endpoints = personaEndpoints(endpointsOf(test), endpointsOf(live), parts);
  return {
    module: { name: "document", endpoints, jobs: [loop], tidying: [endWaiting] },
    startValidationOf,
  };
};
