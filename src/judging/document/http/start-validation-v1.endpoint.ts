import { decodeBase64Fields } from "#contract/base64";
import { startValidationV1Route } from "#contract/document-validation.routes";
import { type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import type { StartValidation } from "../validation/start-validation.ts";

/**
 * The first version: other field names, the same validation. A two-sided card without its back is resubmitted
 * (609).
 */
export const startValidationV1Endpoint = (deps: {
  readonly startValidation: StartValidation;
  readonly imageBytesMax: number;
}): Endpoint =>
  implement(startValidationV1Route, async (call) => {
    const { request, ...context } = call;
    const bytesMax = deps.imageBytesMax;
    const { frontsideImage: front, backsideImage: back } = decodeBase64Fields<string>({
      frontsideImage: { value: request.frontsideImage, bytesMax },
      ...(request.backsideImage ? { backsideImage: { value: request.backsideImage, bytesMax } } : {}),
    });
    const scanReference = await deps.startValidation({
      ...context,
      version: 1,
      endpoint: startValidationV1Route.name,
      country: request.country,
      type: request.idType,
      merchantReference: request.merchantIdScanReference ?? null,
      images: { front: front!, ...(back === undefined ? {} : { back }) },
      ...(request.scanReference !== undefined && { resubmits: request.scanReference }),
    });
    return { timestamp: answeredAt(call).toISOString(), scanReference, type: request.idType };
  });
