import { decodeBase64 } from "#contract/base64";
import { type Endpoint, implement } from "#contract/endpoint";
import { envelope, serviceRan } from "#contract/envelope";
import { asInput, namingFields } from "#contract/input";
import { extractDocumentDataRoute } from "#contract/ocr.routes";
import type { OpenToken } from "#tokens/token";
import type { ExtractDocument } from "../extract-document.ts";
import { readCapture } from "../ocr-container.ts";
import { mobileDocument } from "./mobile-document.ts";

/** Both pictures travel in the one token. */
const fields = { capture: "tokenOcr", front: "tokenOcr", back: "tokenOcr" } as const;

/** Idem reads the pictures of the capture itself: a field that a device claims to have read is never taken. */
export const extractDocumentDataEndpoint = (deps: {
  readonly openToken: OpenToken;
  readonly extractDocument: ExtractDocument;
}): Endpoint =>
  implement(extractDocumentDataRoute, async (call) => {
    const tokenOcr = decodeBase64("tokenOcr", call.request.tokenOcr);
    const token = await namingFields(fields, () =>
      asInput("capture", () => deps.openToken(tokenOcr, "ocr", call.receivedAt)),
    );
    const { countryCode, ...pictures } = readCapture(token.payload);
    const extracted = await namingFields(fields, () =>
      deps.extractDocument({
        caller: call.caller,
        endpoint: extractDocumentDataRoute.name,
        transactionId: call.transactionId,
        receivedAt: call.receivedAt,
        pictures,
        tokenHashes: [token.hash],
        signal: call.signal,
        ...(countryCode === undefined ? {} : { countryCode }),
      }),
    );
    return {
      ...envelope(call, serviceRan("extractDocumentData")),
      serviceDocument: JSON.stringify(mobileDocument(extracted)),
    };
  });
