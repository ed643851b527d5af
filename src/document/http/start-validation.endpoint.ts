import { decodeBase64Fields } from "#contract/base64";
import { startValidationRoute } from "#contract/document-validation.routes";
import { type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import { namingFields } from "#contract/input";
import type { StartValidation } from "../validation/start-validation.ts";

const formats = { "image/png": "png", "image/jpeg": "jpeg" } as const;

const fields = { front: "documentFrontRawImage", back: "documentBackRawImage" } as const;

/** Answers when the pictures and the job are durable; the analysis runs after it. */
export const startValidationEndpoint = (deps: {
  readonly startValidation: StartValidation;
  readonly imageBytesMax: number;
}): Endpoint =>
  implement(startValidationRoute, async (call) => {
    const { request, caller } = call;
    const bytesMax = deps.imageBytesMax;
    const { documentFrontRawImage: front, documentBackRawImage: back } = decodeBase64Fields<string>({
      documentFrontRawImage: { value: request.documentFrontRawImage, bytesMax },
      ...(request.documentBackRawImage
        ? { documentBackRawImage: { value: request.documentBackRawImage, bytesMax } }
        : {}),
    });
    const scanReference = await namingFields(fields, () =>
      deps.startValidation({
        version: 2,
        caller,
        endpoint: startValidationRoute.name,
        transactionId: call.transactionId,
        receivedAt: call.receivedAt,
        country: request.country,
        type: request.idType,
        merchantReference: request.merchantIdScanReference ?? null,
        pictures: { front: front!, ...(back === undefined ? {} : { back }) },
        signal: call.signal,
        ...(request.scanReference !== undefined && { resubmits: request.scanReference }),
        ...(request.documentRawImageMimeType === undefined
          ? {}
          : { format: formats[request.documentRawImageMimeType] }),
      }),
    );
    return { timestamp: answeredAt(call).toISOString(), scanReference, type: request.idType };
  });
