import { type Base64Text, decodeBase64Fields } from "#contract/base64";
import { passportCountryCode } from "#contract/document-type";
import { type Call, type Endpoint, implement } from "#contract/endpoint";
import { envelope, serviceRan } from "#contract/envelope";
import { Failure } from "#contract/failure";
import { asInput } from "#contract/input";
import { extractDocumentDataWebRoute } from "#contract/ocr.routes";
import type { OpenedToken, OpenToken } from "#trust/tokens/token";
import type { ExtractDocument } from "../decision/extract-document.ts";
import { webDocument } from "./web-document.ts";

type Deps = {
  readonly openToken: OpenToken;
  readonly extractDocument: ExtractDocument;
  /** Country of the tenant, or of the deployment; without one the call must name it. */
  readonly findDefaultCountry: (tenantId: string) => Promise<string | undefined>;
  /** Seals the portrait as a face-image token of the caller's tenant, in Base64. */
  readonly sealFace: (
    portrait: Uint8Array,
    call: Pick<Call<unknown>, "caller" | "receivedAt">,
  ) => Promise<string>;
};

/** The web OCR service. Passports need only the front; a back that is sent with one is read too. */
export const extractDocumentDataWebEndpoint = (deps: Deps): Endpoint =>
  implement(extractDocumentDataWebRoute, async (call) => {
    const { request, ...context } = call;
    const { decompose, countryCode: named } = request;
    const countryCode = named ?? (await deps.findDefaultCountry(call.caller.tenantId));
    if (countryCode === undefined) {
      throw new Failure("request_invalid", { errors: ["countryCode: is required"], code: 1102 });
    }
    const tokens = await openTokens(deps, call);
    const extracted = await deps.extractDocument({
      ...context,
      endpoint: extractDocumentDataWebRoute.name,
      countryCode,
      decompose: decompose ?? false,
      images: imagesOf(tokens, countryCode),
      tokens,
    });
    const portrait = decompose === true ? extracted.reading.front.portrait?.jpeg : undefined;
    const faceToken = portrait && (await deps.sealFace(portrait, call));
    const document = webDocument(extracted, {
      countryCode,
      decompose: decompose ?? false,
      ...(faceToken !== undefined && { faceToken }),
    });
    return {
      ...envelope(call, serviceRan("extractDocumentDataWeb")),
      serviceDocument: JSON.stringify(document),
    };
  });

const tokenFields = { front: "tokenFrontDocument", back: "tokenBackDocument" } as const;

type Request = { readonly tokenFrontDocument: Base64Text; readonly tokenBackDocument?: Base64Text };

const openTokens = async (deps: Deps, call: Call<Request>): Promise<readonly OpenedToken[]> => {
  const { tokenFrontDocument, tokenBackDocument } = call.request;
  const back = tokenBackDocument === undefined || tokenBackDocument === "" ? undefined : tokenBackDocument;
  const bytes = decodeBase64Fields<string>({
    tokenFrontDocument: { value: tokenFrontDocument },
    ...(back === undefined ? {} : { tokenBackDocument: { value: back } }),
  });
  const opened: OpenedToken[] = [];
  for (const [side, field] of Object.entries(tokenFields)) {
    const token = bytes[field];
    if (token === undefined) continue;
    opened.push(await asInput(side, () => deps.openToken(token, "document-image", call)));
  }
  return opened;
};

const imagesOf = (tokens: readonly OpenedToken[], countryCode: string) => {
  const [front, back] = tokens;
  if (front === undefined || (back === undefined && countryCode !== passportCountryCode)) {
    throw new Failure("request_invalid", { errors: ["tokenBackDocument: is required"], code: 1102 });
  }
  return { front: front.payload, ...(back === undefined ? {} : { back: back.payload }) };
};
