import { decodeBase64 } from "#contract/base64";
import { type Endpoint, implement } from "#contract/endpoint";
import { envelope, serviceRan } from "#contract/envelope";
import { asInput } from "#contract/input";
import { extractDocumentDataRoute } from "#contract/ocr.routes";
import type { OpenToken } from "#trust/tokens/token";
import type { ExtractDocument } from "../decision/extract-document.ts";
import { type Capture, readCapture } from "../reading/ocr-container.ts";
import { mobileDocument } from "./mobile-document.ts";

/**
 * The mobile OCR service. It reads the images of the capture itself and never takes fields that a device has
 * read.
 */
export const extractDocumentDataEndpoint = (deps: {
  readonly openToken: OpenToken;
  readonly extractDocument: ExtractDocument;
}): Endpoint =>
  implement(extractDocumentDataRoute, async (call) => {
    const { request, ...context } = call;
    const tokenOcr = decodeBase64("tokenOcr", request.tokenOcr);
    const token = await asInput("capture", () => deps.openToken(tokenOcr, "ocr", call));
    const capture: Capture = token.isSealed ? readCapture(token.payload) : { front: token.payload };
    const { countryCode, ...images } = capture;
    const extracted = await deps.extractDocument({
      ...context,
      endpoint: extractDocumentDataRoute.name,
      images,
      tokens: [token],
      ...(countryCode === undefined ? {} : { countryCode }),
    });
    return {
      ...envelope(call, serviceRan("extractDocumentData")),
      serviceDocument: JSON.stringify(mobileDocument(extracted)),
    };
  });
