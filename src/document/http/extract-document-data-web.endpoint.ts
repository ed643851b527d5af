import { decodeBase64Fields } from "#contract/base64";
import { passportCountryCode } from "#contract/document-type";
import { type Call, type Endpoint, implement } from "#contract/endpoint";
import { envelope, serviceRan } from "#contract/envelope";
import { Failure } from "#contract/failure";
import { asInput, namingFields } from "#contract/input";
import { extractDocumentDataWebRoute } from "#contract/ocr.routes";
import type { OpenedToken, OpenToken } from "#tokens/token";
import type { ExtractDocument } from "../extract-document.ts";
import { webDocument } from "./web-document.ts";

type Deps = {
  readonly openToken: OpenToken;
  readonly extractDocument: ExtractDocument;
  /** Country of a deployment that serves one; absent: the call must name it. */
  readonly defaultCountry?: string;
};

const fields = { front: "tokenFrontDocument", back: "tokenBackDocument" } as const;

/** Passports need the front alone; a back that is sent with one is read too. */
export const extractDocumentDataWebEndpoint = (deps: Deps): Endpoint =>
  implement(extractDocumentDataWebRoute, async (call) => {
    const { decompose, countryCode: named } = call.request;
    const countryCode = named ?? deps.defaultCountry;
    if (countryCode === undefined) {
      throw new Failure("request_invalid", { errors: ["countryCode: is required"], code: 1102 });
    }
    const tokens = await openTokens(deps, call);
    const extracted = await namingFields(fields, () =>
      deps.extractDocument({
        caller: call.caller,
        endpoint: extractDocumentDataWebRoute.name,
        transactionId: call.transactionId,
        receivedAt: call.receivedAt,
        countryCode,
        decompose: decompose ?? false,
        pictures: picturesOf(tokens, countryCode),
        tokenHashes: tokens.map(({ hash }) => hash),
        signal: call.signal,
      }),
    );
    const document = webDocument(extracted, { countryCode, decompose: decompose ?? false });
    return {
      ...envelope(call, serviceRan("extractDocumentDataWeb")),
      serviceDocument: JSON.stringify(document),
    };
  });

type Request = { readonly tokenFrontDocument: string; readonly tokenBackDocument?: string };

const openTokens = async (deps: Deps, call: Call<Request>): Promise<readonly OpenedToken[]> => {
  const { tokenFrontDocument, tokenBackDocument } = call.request;
  const back = tokenBackDocument === undefined || tokenBackDocument === "" ? undefined : tokenBackDocument;
  const bytes = decodeBase64Fields<string>({
    tokenFrontDocument: { value: tokenFrontDocument },
    ...(back === undefined ? {} : { tokenBackDocument: { value: back } }),
  });
  const opened: OpenedToken[] = [];
  for (const [field, token] of Object.entries(bytes)) {
    const open = () => deps.openToken(token, "document-image", call.receivedAt);
    opened.push(await namingFields({ token: field }, () => asInput("token", open)));
  }
  return opened;
};

const picturesOf = (tokens: readonly OpenedToken[], countryCode: string) => {
  const [front, back] = tokens;
  if (front === undefined || (back === undefined && countryCode !== passportCountryCode)) {
    throw new Failure("request_invalid", { errors: ["tokenBackDocument: is required"], code: 1102 });
  }
  return { front: front.payload, ...(back === undefined ? {} : { back: back.payload }) };
};
