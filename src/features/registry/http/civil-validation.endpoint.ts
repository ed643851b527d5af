import { decodeBase64Fields } from "#contract/base64";
import { civilCode } from "#contract/civil-code";
import { civilValidationRoute } from "#contract/civil-validation.routes";
import { type Call, type Endpoint, implement } from "#contract/endpoint";
import { envelope, serviceRan } from "#contract/envelope";
import type { CivilRequest } from "../civil-call.ts";
import type { CivilValidation } from "../civil-validation.ts";
import type { ComparedValue } from "../compare-person.ts";

type Request = Parameters<
  Parameters<typeof implement<typeof civilValidationRoute.request, typeof civilValidationRoute.response>>[1]
>[0]["request"];

const unknownLog = "[civilValidation] The registry has no person with this number";

/** Validates a person against a civil registry. */
export const civilValidationEndpoint = (deps: {
  readonly validate: CivilValidation;
  readonly imageBytesMax: number;
}): Endpoint =>
  implement(civilValidationRoute, async (call) => {
    const answer = await deps.validate(call, requestOf(call, deps.imageBytesMax));
    const { values, face, document, person, validation, outcome } = answer;
    return {
      ...envelope(call, answer.isKnown ? serviceRan("civilValidation") : unknownLog),
      ...(values && { civilDataValidation: values.map(wireValue) }),
      ...(face && {
        serviceFacialAuthenticationResult: face.result,
        serviceFacialSimilarityResult: face.similarity,
      }),
      ...(face?.hash !== undefined && { serviceFacialAuthenticationHash: face.hash }),
      ...(document && { serviceDocument: document }),
      ...(person && { civilServiceData: person }),
      ...validation,
      outcome,
    };
  });

const wireValue = ({ field, result }: ComparedValue) => {
  const { code, message } = civilCode[result];
  return { field, code, message };
};

const requestOf = ({ request }: Call<Request>, bytesMax: number): CivilRequest => {
  const { operation, platform, countryCode, documentNumber, documentCode, gender } = request;
  const bytes = decodeBase64Fields<string>({
    ...(request.imageFrontDocument && {
      imageFrontDocument: { value: request.imageFrontDocument, bytesMax },
    }),
    ...(request.imageBackDocument && { imageBackDocument: { value: request.imageBackDocument, bytesMax } }),
    ...(request.tokenOcr && { tokenOcr: { value: request.tokenOcr } }),
    ...(request.templateRaw && { templateRaw: { value: request.templateRaw } }),
    ...(request.bestImage && { bestImage: { value: request.bestImage, bytesMax } }),
  });
  const { imageFrontDocument: front, imageBackDocument: back, tokenOcr, templateRaw, bestImage } = bytes;
  return {
    operation,
    platform,
    ...(countryCode && { countryCode }),
    ...(documentNumber && { documentNumber }),
    ...(documentCode && { documentCode }),
    ...(gender && { gender }),
    ...(front && { images: { front, ...(back && { back }) } }),
    ...(tokenOcr && { tokenOcr }),
    ...(templateRaw && { templateRaw }),
    ...(bestImage && { bestImage }),
    startsValidation: request.documentValidation ?? false,
    returnsPersonalData: request.returnPII ?? false,
  };
};
