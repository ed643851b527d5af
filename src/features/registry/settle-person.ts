import { civilRules } from "#contract/civil-validation.routes";
import { Failure } from "#contract/failure";
import type { RequestFault } from "#contract/request";
import { validationCode } from "#contract/validation-code";
import type { CivilDocument } from "#judging/document/http/civil-document";
import type { CivilRequest } from "./civil-call.ts";
import { isRegistryCountry, registryOf } from "./countries/countries.ts";
import type { CountryRegistry } from "./countries/country-registry.ts";
import { codeOf, isCodeRefused, judgeNumber } from "./judge-number.ts";
import type { RegistryCountry } from "./registry.ts";

/** The person about whom the registry is asked, from the request and from the document that was read. */
export type AskedPerson = {
  readonly registry: CountryRegistry;
  readonly documentNumber: string;
  /** The number on the document in its canonical form; absent where it shows none of the registry. */
  readonly numberOnDocument?: string;
  readonly documentCode?: string;
  readonly gender?: "M" | "F";
};

const invalid = (faults: readonly RequestFault[]): Failure =>
  new Failure("request_invalid", {
    errors: faults.map(({ field, message }) => `${field}: ${message}`),
    ...(faults[0] && { code: faults[0].code }),
  });

const { mandatoryMissing, parameterInvalid, documentCountryUnsupported } = validationCode;

const absent = (field: string): Failure =>
  invalid([{ field, message: "is required, because the document shows none", code: mandatoryMissing.code }]);

/**
 * Settles country, number, code and sex: what was sent counts before what was read. Then asks the rules of
 * the request again with all of them. Fails with request_invalid that names the field.
 */
export const settlePerson = (
  request: CivilRequest,
  document: CivilDocument | undefined,
  countryOfCapture: string | undefined,
  day: string,
): AskedPerson => {
  const country = countryOf(request, document, countryOfCapture);
  const registry = registryOf(country);
  const numberOnDocument = document && numberOn(document, registry, day);
  const documentNumber = numberOf(request, registry, day) ?? numberOnDocument;
  const documentCode = settleCode(request, document, registry, day);
  const gender = registry.takesGender ? (request.gender ?? sexOn(document)) : undefined;
  judgeRulesAgain(request, { country, documentNumber, documentCode, gender });
  if (documentNumber === undefined) throw refusedDocument(request, document);
  return {
    registry,
    documentNumber,
    ...(numberOnDocument !== undefined && { numberOnDocument }),
    ...(documentCode !== undefined && { documentCode }),
    ...(gender !== undefined && { gender }),
  };
};

/** A number or a code that was sent and that its country's rules refuse is declared before any work. */
export const judgeSent = (request: CivilRequest, day: string): void => {
  if (request.countryCode === undefined) return;
  const registry = registryOf(request.countryCode);
  numberOf(request, registry, day);
  if (request.documentCode !== undefined) judgeCode(request.documentCode, registry, day);
};

const judgeCode = (text: string, registry: CountryRegistry, day: string): void => {
  if (!isCodeRefused(registry, text, day)) return;
  const message = `is no code of ${registry.country} (shape)`;
  throw invalid([{ field: "documentCode", message, code: parameterInvalid.code }]);
};

/** A code of another form on the document was misread: it is none. */
const settleCode = (
  { documentCode: sent }: CivilRequest,
  document: CivilDocument | undefined,
  registry: CountryRegistry,
  day: string,
): string | undefined => {
  if (sent !== undefined) judgeCode(sent, registry, day);
  const read = document?.values.documentCode;
  const shown = read !== undefined && isCodeRefused(registry, read, day) ? undefined : read;
  return codeOf(registry, sent ?? shown, day);
};

const countryOf = (
  { countryCode }: CivilRequest,
  document: CivilDocument | undefined,
  ofCapture: string | undefined,
): RegistryCountry => {
  if (countryCode !== undefined) return countryCode;
  const found = document?.values.issuer ?? ofCapture;
  if (found === undefined) throw absent("countryCode");
  if (isRegistryCountry(found)) return found;
  throw invalid([
    {
      field: "countryCode",
      message: "the document is of a country whose registry cannot be asked",
      code: documentCountryUnsupported.code,
    },
  ]);
};

const numberOf = (
  { documentNumber }: CivilRequest,
  registry: CountryRegistry,
  day: string,
): string | undefined => {
  if (documentNumber === undefined) return undefined;
  const judged = judgeNumber(registry, documentNumber, day);
  if ("canonical" in judged) return judged.canonical;
  const message = `is no number of ${registry.country} (${judged.fault})`;
  throw invalid([{ field: "documentNumber", message, code: parameterInvalid.code }]);
};

/** The number of a passport is no number of the registry. A document of another country shows none. */
const numberOn = (
  { values, type }: CivilDocument,
  registry: CountryRegistry,
  day: string,
): string | undefined => {
  if (values.issuer !== undefined && values.issuer !== registry.country) return undefined;
  const fields = (registry.sources.documentNumber ?? []).filter(
    (field) => type !== "PASSPORT" || field !== "documentNumber",
  );
  for (const field of fields) {
    const text = values[field];
    const judged = text === undefined ? undefined : judgeNumber(registry, text, day);
    if (judged !== undefined && "canonical" in judged) return judged.canonical;
  }
  return undefined;
};

const sexOn = (document: CivilDocument | undefined): "M" | "F" | undefined => {
  const sex = document?.values.sex;
  return sex === "M" || sex === "F" ? sex : undefined;
};

const refusedDocument = ({ countryCode }: CivilRequest, document: CivilDocument | undefined): Failure => {
  const issuer = document?.values.issuer;
  if (countryCode === undefined || issuer === undefined || issuer === countryCode)
    return absent("documentNumber");
  const message = "is not the country of the document";
  return invalid([{ field: "countryCode", message, code: parameterInvalid.code }]);
};

type Settled = {
  readonly country: RegistryCountry;
  readonly documentNumber: string | undefined;
  readonly documentCode: string | undefined;
  readonly gender: "M" | "F" | undefined;
};

const judgeRulesAgain = (request: CivilRequest, settled: Settled): void => {
  const { operation, platform, images, tokenOcr, templateRaw, bestImage } = request;
  const { country: countryCode, documentNumber, documentCode, gender } = settled;
  const faults = civilRules({
    operation,
    platform,
    countryCode,
    documentNumber,
    documentCode,
    gender: gender ?? request.gender,
    imageFrontDocument: images?.front,
    imageBackDocument: images?.back,
    tokenOcr,
    templateRaw,
    bestImage,
  });
  if (faults.length > 0) throw invalid(faults);
};
