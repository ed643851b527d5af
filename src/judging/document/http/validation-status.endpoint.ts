import { validationStatusRoute, validationStatusV1Route } from "#contract/document-validation.routes";
import { type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import { getValidationStatus, type HeldValidations } from "../validation/find-validation.ts";

/** State of a scan; both versions find each other's scans. */
export const validationStatusEndpoints = (held: Pick<HeldValidations, "store">): readonly Endpoint[] =>
  [validationStatusRoute, validationStatusV1Route].map((route) =>
    implement(route, async (call) => {
      const { id, status } = await getValidationStatus(held, call.caller, call.request.scanReference);
      return { timestamp: answeredAt(call).toISOString(), scanReference: id, status };
    }),
  );
