import { validationDataRoute, validationDataV1Route } from "#contract/document-validation.routes";
import { type Endpoint, implement } from "#contract/endpoint";
import type { ReasonCodes } from "#contract/interface-reason";
import { getValidation, type HeldValidations } from "../validation/find-validation.ts";
import { wireRecord } from "./wire-record.ts";

/**
 * Decision and data of a scan; before the decision the status is Submitted. Both versions answer one shape.
 */
export const validationDataEndpoints = (
  held: HeldValidations,
  reasonCodes: ReasonCodes,
): readonly Endpoint[] =>
  [validationDataRoute, validationDataV1Route].map((route) =>
    implement(route, async (call) =>
      wireRecord(await getValidation(held, call.caller, call.request.scanReference), reasonCodes),
    ),
  );
