import { validationStatusRoute, validationStatusV1Route } from "#contract/document-validation.routes";
import { type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import type { GetValidationStatus } from "../validation/find-validation.ts";

type Deps = { readonly getStatus: GetValidationStatus };

/** State of a scan; both versions find each other's scans. */
export const validationStatusEndpoints = (deps: Deps): readonly Endpoint[] =>
  [validationStatusRoute, validationStatusV1Route].map((route) =>
    implement(route, async (call) => {
      const { id, status } = await deps.getStatus(call.caller, call.request.scanReference);
      return { timestamp: answeredAt(call).toISOString(), scanReference: id, status };
    }),
  );
