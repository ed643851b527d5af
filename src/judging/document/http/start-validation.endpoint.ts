import { decodeBase64Fields } from "#contract/base64";
import { startValidationRoute } from "#contract/document-validation.routes";
import { type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import type { StartValidation } from "../validation/start-validation.ts";

const formats = {
  "image/png": "png",
  "image/jpeg": "jpeg",
  "image/webp": "webp",
  "image/avif": "avif",
} as const;

/** Starts a validation. Answers when the images and the job are durable; the analysis runs later. */
export const startValidationEndpoint = (deps: {
  readonly startValidation: StartValidation;
  readonly imageBytesMax: number;
}): Endpoint =>
  implement(startValidationRoute, async (call) => {
    const { request, ...context } = call;
    const bytesMax = deps.imageBytesMax;
    const { documentFrontRawImage: front, documentBackRawImage: back } = decodeBase64Fields<string>({
      documentFrontRawImage: { value: request.documentFrontRawImage, bytesMax },
      ...(request.documentBackRawImage
        ? { documentBackRawImage: { value: request.documentBackRawImage, bytesMax } }
        : {}),
    });
    const scanReference = await deps.startValidation({
      ...context,
      version: 2,
      endpoint: startValidationRoute.name,
      country: request.country,
      type: request.idType,
      merchantReference: request.merchantIdScanReference ?? null,
      images: { front: front!, ...(back === undefined ? {} : { back }) },
      ...(request.scanReference !== undefined && { resubmits: request.scanReference }),
      ...(request.documentRawImageMimeType === undefined
        ? {}
        : { format: formats[request.documentRawImageMimeType] }),
    });
    return { timestamp: answeredAt(call).toISOString(), scanReference, type: request.idType };
  });
