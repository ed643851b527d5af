/** Composition of the documents: what a validation's steps share, who works them off, and the endpoints. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Endpoint } from "./contract/endpoint.ts";
import { type CompareFaces, makeDiagnoseDocument } from "./document/diagnose-document.ts";
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
import { readDocumentModels } from "./document/models/read-models.ts";
import { withOutside } from "./document/outside/with-outside.ts";
import { makeDecideReview } from "./document/review/decide-review.ts";
import { makeReviewDesk } from "./document/review/review-desk.ts";
import { makeGetValidation, makeGetValidationStatus } from "./document/validation/find-validation.ts";
import { makeFailValidation, makeRunValidation } from "./document/validation/run-validation.ts";
import { makeSealing } from "./document/validation/sealed.ts";
import { makeStartValidation } from "./document/validation/start-validation.ts";
import {
  defaultValidationWorkerOptions,
  makeValidationWorker,
  type ValidationWorker,
} from "./document/validation/validation-worker.ts";
import { formatOf } from "./imaging/file-format.ts";
import type { Parts } from "./parts.ts";

/** What the validation's steps share. */
export const makeJobs = (
  { storage, engine, documentPolicy, peps }: Parts,
  lookUpHistory: LookUpHistory,
  clock: () => Date,
) => ({
  collectFields: makeCollectFields(readDocumentModels()),
  lookUpHistory: withMetBefore(withOutside(lookUpHistory, { ...(peps && { peps }) }), {
    ...storage,
    policy: documentPolicy,
    clock,
  }),
  blobs: storage.blobs,
  sealing: makeSealing(storage.keyring),
  engine: engine.document,
  policy: documentPolicy,
  clock,
  newId: randomUUID,
});

export type Jobs = ReturnType<typeof makeJobs>;

export const makeWorker = ({ config, storage, report }: Parts, jobs: Jobs): ValidationWorker =>
  makeValidationWorker({
    store: storage.store,
    runValidation: makeRunValidation(jobs),
    failValidation: makeFailValidation(jobs),
    clock: jobs.clock,
    random: Math.random,
    onError: (what, id, error) => report("documentValidation", `Could not ${what}`, error, id),
    options: {
      ...defaultValidationWorkerOptions,
      name: `${hostname()}/${process.pid}/${randomUUID()}`,
      concurrency: config.inference.workers,
      leaseMs: config.validation.leaseMs,
    },
  });

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
