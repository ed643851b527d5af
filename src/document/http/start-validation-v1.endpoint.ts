import { decodeBase64Fields } from "#contract/base64";
import { startValidationV1Route } from "#contract/document-validation.routes";
import { type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import { namingFields } from "#contract/input";
import type { StartValidation } from "../validation/start-validation.ts";

const fields = { front: "frontsideImage", back: "backsideImage" } as const;

/** The first version: other field names, the same validation. A two-sided card without its back is asked for it (609). */
export const startValidationV1Endpoint = (deps: {
  readonly startValidation: StartValidation;
  readonly imageBytesMax: number;
}): Endpoint =>
  implement(startValidationV1Route, async (call) => {
    const { request, caller } = call;
    const bytesMax = deps.imageBytesMax;
    const { frontsideImage: front, backsideImage: back } = decodeBase64Fields<string>({
      frontsideImage: { value: request.frontsideImage, bytesMax },
      ...(request.backsideImage ? { backsideImage: { value: request.backsideImage, bytesMax } } : {}),
    });
    const scanReference = await namingFields(fields, () =>
      deps.startValidation({
        version: 1,
        caller,
        endpoint: startValidationV1Route.name,
        transactionId: call.transactionId,
        receivedAt: call.receivedAt,
        country: request.country,
        type: request.idType,
        merchantReference: request.merchantIdScanReference ?? null,
        pictures: { front: front!, ...(back === undefined ? {} : { back }) },
        signal: call.signal,
        ...(request.scanReference !== undefined && { resubmits: request.scanReference }),
      }),
    );
    return { timestamp: answeredAt(call).toISOString(), scanReference, type: request.idType };
  });
