/** Composition of the documents: what a validation's steps share, who works them off, and the endpoints. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Endpoint } from "./contract/endpoint.ts";
import { type CompareFaces, makeDiagnoseDocument } from "./document/diagnose-document.ts";
import type { DocumentEngine } from "./document/engine.ts";
import { makeExtractDocument } from "./document/extract-document.ts";
import { makeCollectFields } from "./document/fields.ts";
import type { LookUpHistory } from "./document/history.ts";
import { extractDocumentDataEndpoint } from "./document/http/extract-document-data.endpoint.ts";
import { extractDocumentDataWebEndpoint } from "./document/http/extract-document-data-web.endpoint.ts";
import { padDiagnosticEndpoint } from "./document/http/pad-diagnostic.endpoint.ts";
import { reviewEndpoints } from "./document/http/review.endpoint.ts";
import { startValidationEndpoint } from "./document/http/start-validation.endpoint.ts";
import { startValidationV1Endpoint } from "./document/http/start-validation-v1.endpoint.ts";
import { validationDataEndpoints } from "./document/http/validation-data.endpoint.ts";
import { validationStatusEndpoints } from "./document/http/validation-status.endpoint.ts";
import { withMetBefore } from "./document/met-before.ts";
import { withOutside } from "./document/outside/with-outside.ts";
import { makeDecideReview } from "./document/review/decide-review.ts";
import { makeReviewDesk } from "./document/review/review-desk.ts";
import { makeGetValidation, makeGetValidationStatus } from "./document/validation/find-validation.ts";
import { makeFailValidation, type RunValidation } from "./document/validation/outcome.ts";
import { makeRunElsewhere } from "./document/validation/run-elsewhere.ts";
import { makeRunValidation } from "./document/validation/run-validation.ts";
import { makeSealing } from "./document/validation/sealed.ts";
import { makeStartValidation } from "./document/validation/start-validation.ts";
import {
  defaultValidationWorkerOptions,
  makeValidationWorker,
  type ValidationWorker,
} from "./document/validation/validation-worker.ts";
import { formatOf } from "./imaging/file-format.ts";
import { openMorphology } from "./open-morphology.ts";
import type { Parts } from "./parts.ts";

/** Decisions name the operator's own models of documents beside the networks. */
const withOwnModels = (engine: DocumentEngine, { own }: Parts["documentModels"]): DocumentEngine =>
  own === undefined ? engine : { ...engine, models: { ...engine.models, "own-document-models": own.sha256 } };

/** What the validation's steps share. */
export const makeJobs = (
  { storage, engine, documentPolicy, documentModels, peps }: Parts,
  lookUpHistory: LookUpHistory,
  clock: () => Date,
) => ({
  collectFields: makeCollectFields(documentModels),
  lookUpHistory: withMetBefore(withOutside(lookUpHistory, { ...(peps && { peps }) }), {
    ...storage,
    policy: documentPolicy,
    clock,
  }),
  blobs: storage.blobs,
  sealing: makeSealing(storage.keyring),
  engine: withOwnModels(engine.document, documentModels),
  policy: documentPolicy,
  clock,
  newId: randomUUID,
});

export type Jobs = ReturnType<typeof makeJobs>;

/** Who judges a validation: this service, or a provider outside. */
const makeRun = (
  { config: { morphology, egress }, storage: { store } }: Parts,
  jobs: Jobs,
  worker: string,
  onError: (what: string, id: string | undefined, error: unknown) => void,
): RunValidation => {
  const provider = openMorphology({ morphology, egress });
  if (provider === undefined || morphology.provider === "local") return makeRunValidation(jobs);
  const { givenUpAfterMs } = morphology;
  const failValidation = makeFailValidation(jobs);
  return makeRunElsewhere({ ...jobs, provider, store, worker, failValidation, givenUpAfterMs, onError });
};

export const makeWorker = (parts: Parts, jobs: Jobs): ValidationWorker => {
  const { config, storage, report } = parts;
  const name = `${hostname()}/${process.pid}/${randomUUID()}`;
  const onError = (what: string, id: string | undefined, error: unknown): void =>
    report("documentValidation", `Could not ${what}`, error, id);
  return makeValidationWorker({
    store: storage.store,
    runValidation: makeRun(parts, jobs, name, onError),
    failValidation: makeFailValidation(jobs),
    clock: jobs.clock,
    random: Math.random,
    onError,
    options: {
      ...defaultValidationWorkerOptions,
      name,
      concurrency: config.inference.workers,
      leaseMs: config.validation.leaseMs,
    },
  });
};

export const makeDocumentEndpoints = (
  { config, storage, openToken }: Parts,
  jobs: Jobs,
  { poke }: ValidationWorker,
  compareFaces: CompareFaces,
): readonly Endpoint[] => {
  const { store } = storage;
  const { policy, sealing } = jobs;
  const getStatus = makeGetValidationStatus(store);
  const startValidation = makeStartValidation({ ...jobs, store, getStatus, poke });
  const getValidation = makeGetValidation(getStatus, sealing);
  const extractDocument = makeExtractDocument({ ...jobs, store });
  const reviewing = { ...jobs, store };
  const start = { startValidation, imageBytesMax: config.images.bytesMax };
  const extract = {
    openToken,
    extractDocument,
    ...(config.defaultCountry === undefined ? {} : { defaultCountry: config.defaultCountry }),
  };
  return [
    startValidationEndpoint(start),
    startValidationV1Endpoint(start),
    ...validationStatusEndpoints({ getStatus }),
    ...validationDataEndpoints({ getValidation }),
    ...reviewEndpoints({
      desk: makeReviewDesk(reviewing),
      decideReview: makeDecideReview(reviewing),
      formatOf,
      policy,
    }),
    extractDocumentDataEndpoint(extract),
    extractDocumentDataWebEndpoint(extract),
    padDiagnosticEndpoint({
      openToken,
      diagnoseDocument: makeDiagnoseDocument({ ...jobs, store, compareFaces }),
      imageBytesMax: config.images.bytesMax,
    }),
  ];
};
