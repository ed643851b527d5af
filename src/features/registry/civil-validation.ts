import { type ComparedField, comparedFields } from "#contract/civil-code";
import { facialAuthenticationNumber } from "#contract/facial-authentication";
import { Failure } from "#contract/failure";
import { allInputs, asInput } from "#contract/input";
import { readCivilDocument } from "#judging/document/http/civil-document";
import { readCapture } from "#judging/document/reading/ocr-container";
import type { FaceProbe } from "#judging/face/compare-with-photo";
import { askRegistry, getRegistry } from "./ask-registry.ts";
import type { CapturedDocument, CivilAnswer, CivilCall, CivilDeps, CivilRequest } from "./civil-call.ts";
import { type CivilValues, type ComparedValue, comparePerson, unknownPerson } from "./compare-person.ts";
import type { DocumentSources } from "./countries/country-registry.ts";
import { judgeOutcome } from "./judge-outcome.ts";
import { type Judged, recordCivilCall, startDocumentValidation } from "./record-civil-call.ts";
import type { RegistryAnswer } from "./registry.ts";
import { type AskedPerson, judgeSent, settlePerson } from "./settle-person.ts";

/**
 * Validates a person against the civil registry of a country: the data of the document, the face, or both.
 * What the caller can repair is refused before the registry is asked, because each question has a price.
 * Fails with request_invalid, registry_not_configured, upstream_failed and timed_out, with a token or an
 * image failure (inputs `front`, `back`, `capture`, `template`, `bestImage`), and with engine_busy. Made by
 * {@link makeCivilValidation}.
 */
export type CivilValidation = (call: CivilCall, request: CivilRequest) => Promise<CivilAnswer>;

export const makeCivilValidation =
  (deps: CivilDeps): CivilValidation =>
  async (call, request) => {
    const day = call.receivedAt.toISOString().slice(0, 10);
    judgeSent(request, day);
    judgeRegistry(deps, call, request);
    const captured = await openCapture(deps, call, request);
    const [document, probe] = await allInputs([
      readCaptured(deps, call, request, captured),
      openProbe(deps, call, request),
    ]);
    const person = settlePerson(request, document, captured.countryCode, day);
    const answer = await ask(deps, call, request, person, day);
    const values = compareValues(
      request,
      { ...captured, ...(document && { read: document }) },
      person,
      answer,
      day,
    );
    const compared =
      probe === undefined
        ? undefined
        : await deps.faces.compare(
            probe,
            answer.kind === "person" ? answer.person.photo : undefined,
            call.signal,
          );
    return await finish(deps, call, request, {
      captured: { ...captured, ...(document && { read: document }) },
      person,
      answer,
      ...(values && { values }),
      ...(compared && probe && { compared, probe }),
    });
  };

const comparesFaces = ({ operation }: CivilRequest): boolean => operation !== "DATA";
const comparesData = ({ operation }: CivilRequest): boolean => operation !== "FACIAL";

/**
 * A registry that is missing is declared before any work, as far as the request states country and number.
 */
const judgeRegistry = (
  { findRegistry }: CivilDeps,
  { caller: { environment } }: CivilCall,
  { countryCode: country, documentNumber }: CivilRequest,
): void => {
  if (country === undefined) return;
  getRegistry(findRegistry, {
    environment,
    country,
    ...(documentNumber !== undefined && { documentNumber }),
  });
};

const questionOf = ({ caller, transactionId }: CivilCall, country: AskedPerson["registry"]["country"]) => ({
  tenantId: caller.tenantId,
  environment: caller.environment,
  transactionId,
  country,
});

const openCapture = async (
  deps: CivilDeps,
  call: CivilCall,
  { platform, images, tokenOcr }: CivilRequest,
): Promise<CapturedDocument> => {
  if (platform === "WEB") {
    if (images === undefined) throw new Error("The rules of the route ask for the images of WEB");
    return { images, tokens: [] };
  }
  if (tokenOcr === undefined) throw new Error("The rules of the route ask for the token of MOBILE");
  return await asInput("capture", async () => {
    const token = await deps.openToken(tokenOcr, "ocr", call);
    const { countryCode, ...taken } = token.isSealed
      ? readCapture(token.payload)
      : { front: token.payload, countryCode: undefined };
    return { images: taken, tokens: [token], ...(countryCode !== undefined && { countryCode }) };
  });
};

/**
 * FACIAL reads the document only for what the request does not state, and for what the answer returns of it.
 */
const needsReading = (request: CivilRequest): boolean =>
  comparesData(request) ||
  request.documentNumber === undefined ||
  request.countryCode === undefined ||
  request.returnsPersonalData ||
  request.startsValidation;

const readCaptured = async (
  deps: CivilDeps,
  call: CivilCall,
  request: CivilRequest,
  { images, countryCode }: CapturedDocument,
) => {
  if (!needsReading(request)) return undefined;
  const read = readCivilDocument(deps.documents, images, request.countryCode ?? countryCode, call);
  return request.platform === "WEB" ? await read : await asCapture(read);
};

/** Both sides of a capture came in one field. */
const asCapture = async <Read>(read: Promise<Read>): Promise<Read> => {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof Failure) || !("input" in error.facts)) throw error;
    throw new Failure(error.code, { ...error.facts, input: "capture" }, { cause: error });
  }
};

const openProbe = async (
  { faces }: CivilDeps,
  call: CivilCall,
  request: CivilRequest,
): Promise<FaceProbe | undefined> => {
  const { templateRaw: template, bestImage } = request;
  if (!comparesFaces(request) || template === undefined) return undefined;
  return await faces.openProbe(call, { template, ...(bestImage && { bestImage }) });
};

const ask = async (
  deps: CivilDeps,
  call: CivilCall,
  request: CivilRequest,
  { registry, documentNumber, documentCode, gender }: AskedPerson,
  day: string,
): Promise<RegistryAnswer> => {
  const { bestImage } = request;
  const sendsFace = registry.takesBestImage && comparesFaces(request) && bestImage !== undefined;
  const question = {
    ...questionOf(call, registry.country),
    documentNumber,
    ...(documentCode !== undefined && { documentCode }),
    ...(gender !== undefined && { gender }),
    ...(sendsFace && { bestImage }),
  };
  const asked = { at: call.receivedAt, day, purpose: "civilValidation" } as const;
  return await askRegistry(deps, question, asked, call.signal);
};

const compareValues = (
  request: CivilRequest,
  { read }: CapturedDocument,
  person: AskedPerson,
  answer: RegistryAnswer,
  day: string,
): readonly ComparedValue[] | undefined => {
  const { registry, documentNumber, numberOnDocument = documentNumber } = person;
  const ofNumber = { documentNumber: numberOnDocument };
  if (!comparesData(request)) return answer.kind === "unknown" ? unknownPerson(ofNumber) : undefined;
  const gender = request.gender;
  const sent = {
    ...(gender && { gender }),
    ...(read && valuesOf(read.values, registry.sources)),
    ...ofNumber,
  };
  if (answer.kind === "unknown") return unknownPerson(sent);
  const held = { documentNumber, ...withoutBlank(answer.person.fields) };
  return comparePerson(sent, held, registry, day);
};

/** The values of a document by the names of the registry. */
const valuesOf = (values: Readonly<Partial<Record<string, string>>>, sources: DocumentSources): CivilValues =>
  Object.fromEntries(
    Object.entries(sources).flatMap(([field, names]) => {
      const name = names.find((one) => values[one] !== undefined);
      const value = name === undefined ? undefined : values[name];
      return value === undefined ? [] : [[field, value]];
    }),
  );

/** The fields of which the document shows a value. */
const shownOn = (
  { read }: CapturedDocument,
  { registry, numberOnDocument }: AskedPerson,
): readonly ComparedField[] => {
  const shown = read ? valuesOf(read.values, registry.sources) : {};
  return comparedFields.filter((field) =>
    field === "documentNumber" ? numberOnDocument !== undefined : shown[field] !== undefined,
  );
};

/** A registry that answers an empty text has no value. */
const withoutBlank = (fields: CivilValues): CivilValues =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ""));

const finish = async (
  deps: CivilDeps,
  call: CivilCall,
  request: CivilRequest,
  judged: Judged,
): Promise<CivilAnswer> => {
  const { values, compared, answer, captured, person } = judged;
  const isKnown = answer.kind === "person";
  const validation = request.startsValidation ? await startDocumentValidation(deps, call, judged) : undefined;
  const hash = await recordCivilCall(deps, call, request, judged);
  const result = compared && facialAuthenticationNumber[compared.judgement.result];
  const showsDocument = request.returnsPersonalData && captured.read !== undefined;
  return {
    isKnown,
    ...(values && { values }),
    ...(compared &&
      result !== undefined && {
        face: { result, similarity: compared.judgement.comparison?.similarity ?? 0, ...(hash && { hash }) },
      }),
    ...(showsDocument && { document: captured.read.serviceDocument[request.platform] }),
    ...(request.returnsPersonalData && isKnown && { person: answer.person.fields }),
    ...(validation && { validation }),
    outcome: judgeOutcome({
      isKnown,
      ...(values && { values }),
      shown: shownOn(captured, person),
      ...(captured.read && { isDocumentTied: captured.read.isTied }),
      ...(result !== undefined && { facial: result }),
    }),
  };
};
