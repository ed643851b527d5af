import { validationDataRoute, validationDataV1Route } from "#contract/document-validation.routes";
import { type Endpoint, implement } from "#contract/endpoint";
import type { ReasonCodes } from "#contract/interface-reason";
import type { GetValidation } from "../validation/find-validation.ts";
import { wireRecord } from "./wire-record.ts";

type Deps = { readonly getValidation: GetValidation; readonly reasonCodes: ReasonCodes };

/**
 * Decision and data of a scan; before the decision the status is Submitted. Both versions answer one shape.
 */
export const validationDataEndpoints = (deps: Deps): readonly Endpoint[] =>
  [validationDataRoute, validationDataV1Route].map((route) =>
    implement(route, async (call) =>
      wireRecord(await deps.getValidation(call.caller, call.request.scanReference), deps.reasonCodes),
    ),
  );
