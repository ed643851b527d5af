import { Failure } from "#contract/failure";
import type { FaceMeasurement } from "#judging/face/measurement";
import { measurementsOf } from "#judging/face/record";
import { stepOf, transactionOf } from "#record/transactions/record-call";
import { describeCandidate, type EnrolmentCandidate, matchedIdsOf, type Refusal } from "./deduplication.ts";
import {
  entryOf,
  evidenceOf,
  pseudonymOf,
  type UserCall,
  type UserService,
  untilSettled,
} from "./service.ts";

/** Why an image establishes no user. */
export type ImportRefusal =
  | "image-unreadable"
  | "no-usable-face"
  | "several-faces"
  | "not-measured"
  | "face-registered"
  | "face-blocked";

export type ImportAnswer =
  | { readonly kind: "established" }
  /** The identifier has a user already, who is not changed. */
  | { readonly kind: "registered" }
  | { readonly kind: "refused"; readonly reason: ImportRefusal };

/** Made by {@link makeImportUser}. */
export type ImportUser = (call: UserCall, userId: string, image: Uint8Array) => Promise<ImportAnswer>;

type ImportService = Omit<
  UserService,
  "openToken" | "recordCall" | "hashAuthentication" | "trackCall" | "trackDecision"
>;

/**
 * Establishes a user from an open image that the operator vouches for: no liveness is judged. A user who is
 * registered is left as it is, so that an import may be repeated. Fails with search_unavailable.
 */
export const makeImportUser =
  (service: ImportService): ImportUser =>
  async (call, userId, image) => {
    const pseudonym = await pseudonymOf(service.keyring, call.caller, userId);
    const isRegistered = async (): Promise<boolean> =>
      (await service.store.findUser(call.caller.tenantId, pseudonym)) !== undefined;
    if (await isRegistered()) return { kind: "registered" };
    const measured = await measure(service, call, image);
    if (typeof measured === "string") return { kind: "refused", reason: measured };
    return await untilSettled(async () =>
      (await isRegistered())
        ? { kind: "registered" }
        : await service.deduplication.deduplicate(call, [measured.template], async (candidate) =>
            candidate.refusal === undefined
              ? await enrol(service, call, pseudonym, measured, candidate)
              : { kind: "refused", reason: refusals[candidate.refusal] },
          ),
    );
  };

const refusals: Readonly<Record<Refusal, ImportRefusal>> = {
  ALREADY_REGISTERED: "face-registered",
  BLACKLISTED_FACE_TEMPLATE: "face-blocked",
};

type Measured = { readonly template: Uint8Array; readonly measurement: FaceMeasurement };

/** The face of an image, judged as an enrolment does; or why it has none. */
const measure = async (
  { face }: ImportService,
  { signal }: UserCall,
  image: Uint8Array,
): Promise<Measured | ImportRefusal> => {
  const measurement = await face
    .measure(image, { template: true }, signal)
    .catch((error: unknown) => undefinedIfBroken(error));
  if (measurement === undefined) return "not-measured";
  if (measurement.kind !== "measured") return "image-unreadable";
  const judged = face.judgeAlone(measurement);
  if (judged === "None") return "several-faces";
  const { template } = measurement;
  return judged === "Positive" && template !== undefined ? { template, measurement } : "no-usable-face";
};

/** One image that breaks the engine, or is a persona of the sandbox, must not end an import. */
const undefinedIfBroken = (error: unknown): undefined => {
  const isOfImage =
    error instanceof Failure && (error.code === "engine_failed" || error.code === "persona_refused");
  if (isOfImage) return undefined;
  throw error;
};

const enrol = async (
  service: ImportService,
  call: UserCall,
  pseudonym: string,
  { template, measurement }: Measured,
  candidate: EnrolmentCandidate,
): Promise<ImportAnswer | undefined> => {
  const { tenantId, environment } = call.caller;
  const owner = { tenantId, environment, id: service.newId() };
  const sealed = await service.vault.seal(owner, template);
  const user = { ...owner, ...sealed, pseudonym, enrolledAt: call.receivedAt };
  // Stored key: earlier releases wrote it.
  const body = { person: owner.id, key: sealed.keyId, transaction: call.transactionId, origin: "import" };
  const evidence = [evidenceOf(service, "person_enrolled", { ...body, ...matchedIdsOf(candidate) })];
  const entry = entryOf(service, {
    endpoint: "importUsers",
    result: { established: true },
    measurements: {
      // Stored key, as in the record of an authentication attempt.
      pictures: [measurementsOf(measurement)],
      search: describeCandidate(candidate),
    },
    measured: [measurement],
  });
  const record = transactionOf(call, entry);
  const isFirst = await service.store.enrolUser(user, record, [], stepOf({ evidence }), candidate.searchedAt);
  return isFirst ? { kind: "established" } : undefined;
};
