import { civilCode } from "#contract/civil-code";
import { facialAuthenticationNumber } from "#contract/facial-authentication";
import type { FaceProbe, PhotoComparison } from "#judging/face/compare-with-photo";
import { type CallEntry, transactionOf } from "#record/transactions/record-call";
import type { CapturedDocument, CivilCall, CivilDeps, CivilRequest } from "./civil-call.ts";
import type { ComparedValue } from "./compare-person.ts";
import type { RegistryAnswer } from "./registry.ts";
import type { AskedPerson } from "./settle-person.ts";

/** What a civil validation found, before it is recorded. */
export type Judged = {
  readonly captured: CapturedDocument;
  readonly person: AskedPerson;
  readonly answer: RegistryAnswer;
  readonly values?: readonly ComparedValue[];
  readonly compared?: PhotoComparison;
  readonly probe?: FaceProbe;
};

/** The validation is a call of its own: its images, job and record commit before the record of this call. */
export const startDocumentValidation = async (
  { startValidation, newId }: CivilDeps,
  call: CivilCall,
  judged: Judged,
) => {
  const { captured, person } = judged;
  const type = captured.read?.type ?? "ID_CARD";
  const { deferCommit: _, ...own } = call;
  const scanReference = await startValidation({
    ...own,
    transactionId: newId(),
    version: 2,
    endpoint: "startValidation",
    country: person.registry.country,
    type,
    merchantReference: null,
    images: captured.images,
  });
  return { scanReference, type };
};

/**
 * Records the call with its step and its result. Returns the authentication hash where the faces are of one
 * person.
 */
export const recordCivilCall = async (
  { recordCall, hashAuthentication }: CivilDeps,
  call: CivilCall,
  request: CivilRequest,
  judged: Judged,
): Promise<string | undefined> => {
  const { captured, compared, probe } = judged;
  const { read } = captured;
  const imagesOfCall = Object.values(captured.images);
  const versions = [compared?.policyVersion, read?.policyVersion].filter((version) => version !== undefined);
  const entry: CallEntry = {
    endpoint: "civilValidation",
    result: resultOf(request, judged),
    measurements: {
      document: read?.measurements ?? null,
      documentBytes: imagesOfCall.map(({ length }) => length),
      ...(compared && { ...compared.measurements, imageHashes: compared.imageHashes }),
    },
    policyVersion: versions.join(" "),
    models: { ...read?.models, ...compared?.models },
    tokens: [...captured.tokens, ...(probe ? [probe.token] : [])],
  };
  const hash = await hashAuthentication(transactionOf(call, entry));
  await recordCall(call, { ...entry, operationDetails: detailsOf(judged) });
  return hash;
};

const resultOf = ({ operation }: CivilRequest, { person, answer, values, compared }: Judged) => ({
  operation,
  country: person.registry.country,
  registry: answer.kind,
  ...(values && {
    data: Object.fromEntries(values.map(({ field, result }) => [field, civilCode[result].code])),
  }),
  ...(compared && { facial: facialAuthenticationNumber[compared.judgement.result] }),
});

const detailsOf = ({ captured: { read }, compared }: Judged) => ({
  images: { ...read?.operationDetails.images, ...compared?.operationDetails.images },
  events: [...(read?.operationDetails.events ?? []), ...(compared?.operationDetails.events ?? [])],
});
