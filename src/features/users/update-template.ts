import { Failure } from "#contract/failure";
import { asInput } from "#contract/input";
import { updateUserTemplateResult } from "#contract/result-code";
import type { FacialJudgement } from "#judging/face/matching/judge-comparison";
import { isSameTemplate, recogniserOfTemplate } from "#judging/face/matching/template";
import { comparisonOf, measurementsOf } from "#judging/face/record";
import type { OperationStep } from "#record/transactions/operation-step";
import { stepOf, transactionOf } from "#record/transactions/record-call";
import type { OpenedToken } from "#trust/tokens/token";
import { describeCandidate, type EnrolmentCandidate, matchedIdsOf } from "./deduplication.ts";
import {
  type MeasuredReference,
  measureReference,
  openReference,
  templateOf,
  withTrustedCohortScore,
} from "./open-faces.ts";
import {
  entryOf,
  evidenceOf,
  pseudonymOf,
  refuseHeld,
  type UserCall,
  type UserService,
  untilSettled,
  wasCounted,
} from "./service.ts";
import type { User } from "./store/user.ts";

const endpoint = "updateUserTemplate";

export type UpdateVerdict = "updated" | "templateOfAnotherUser" | "templateNotRegistered" | "userNotFound";

export type Update = {
  readonly verdict: UpdateVerdict;
  /** The new template, for a caller who sent a face image in its place. */
  readonly template?: Uint8Array;
};

/** Made by {@link makeUpdateTemplate}. */
export type UpdateTemplate = (
  call: UserCall,
  userId: string,
  oldTemplate: Uint8Array,
  newTemplate: Uint8Array,
) => Promise<Update>;

type Attempt = {
  readonly service: UserService;
  readonly call: UserCall;
  readonly old: OpenedToken;
  readonly fresh: MeasuredReference;
  readonly tokens: readonly OpenedToken[];
  /** Undefined where the call names no operation. A change of a template is a step without an event. */
  readonly operation: OperationStep | undefined;
};

/**
 * Replaces a user's template for a caller who has the registered one. The old template may come from an older
 * recogniser: this call moves a user to the present one. The new template must come from the present
 * recogniser and, if both can be compared, must match the old one. Fails with a token or image failure
 * (inputs `old` and, for the new one, `reference`), user_paused, user_disabled, template_unusable (also for a
 * face that an enrolment would refuse: blocked, or registered as another user under the policy `refuse`),
 * template_mismatch or search_unavailable.
 */
export const makeUpdateTemplate =
  (service: UserService): UpdateTemplate =>
  async (call, userId, oldTemplate, newTemplate) => {
    const { caller } = call;
    const old = await asInput("old", () => service.openToken(oldTemplate, "template", call));
    const reference = await openReference(service, call, { kind: "token", token: newTemplate });
    const pseudonym = await pseudonymOf(service.keyring, caller, userId);
    const fresh = await measureReference(service, call, reference);
    const operation = await service.trackCall(call, endpoint, { customer: userId });
    const attempt: Attempt = { service, call, old, fresh, tokens: [old, ...reference.tokens], operation };
    return await untilSettled(async () => {
      const user = await service.store.findUser(caller.tenantId, pseudonym);
      const verdict = user === undefined ? await missUser(attempt) : await replace(attempt, user);
      const isMade = verdict === "updated" && reference.kind === "image";
      const template = isMade ? templateOf(fresh.side) : undefined;
      return verdict && { verdict, ...(template && { template }) };
    });
  };

const missUser = async (attempt: Attempt): Promise<UpdateVerdict> => {
  const verdict = "userNotFound";
  const { service, call, operation } = attempt;
  await service.recordCall(call, { ...entryOfUpdate(attempt, verdict), ...(operation && { operation }) });
  return verdict;
};

const replace = async (attempt: Attempt, user: User): Promise<UpdateVerdict | undefined> => {
  const { service, old } = attempt;
  refuseHeld(user, service.clock());
  const registered = await service.vault.open(user);
  return isSameTemplate(old.payload, registered)
    ? await overwrite(attempt, user, registered)
    : await refuseOld(attempt, user, registered);
};

/**
 * The old template is not the registered one: it matches the same person, or another one, or cannot be
 * compared.
 */
const refuseOld = async (
  attempt: Attempt,
  user: User,
  registered: Uint8Array,
): Promise<UpdateVerdict | undefined> => {
  const { service, call, old } = attempt;
  const comparison = service.face.compare(withTrustedCohortScore(old.payload, registered), {
    kind: "template",
    template: registered,
  });
  const verdict = comparison.result === "Positive" ? "templateNotRegistered" : "templateOfAnotherUser";
  const at = service.clock();
  const { tenantId, pseudonym, revision } = user;
  const finding = comparison.comparison === undefined ? ("nothing" as const) : ("against" as const);
  // Stored key: earlier releases wrote it.
  const body = { person: user.id, transaction: call.transactionId };
  const disabling = evidenceOf(service, "person_disabled", body);
  const answer = await service.store.recordAttempt(
    { tenantId, pseudonym, revision, at, finding, throttle: service.policy.throttle, disabling },
    transactionOf(call, entryOfUpdate(attempt, verdict, comparison)),
    [],
    stepOf({ operation: attempt.operation }),
  );
  return wasCounted(answer, at) ? verdict : undefined;
};

const overwrite = async (
  attempt: Attempt,
  user: User,
  registered: Uint8Array,
): Promise<UpdateVerdict | undefined> => {
  const { template, comparison } = requireUsable(attempt, registered);
  const { deduplication } = attempt.service;
  return await deduplication.deduplicate(
    attempt.call,
    [template],
    async (candidate) => {
      if (candidate.refusal !== undefined) {
        throw new Failure("template_unusable", { reason: candidate.refusal });
      }
      return await write(attempt, user, template, candidate, comparison);
    },
    user.id,
  );
};

const write = async (
  attempt: Attempt,
  user: User,
  template: Uint8Array,
  candidate: EnrolmentCandidate,
  comparison: FacialJudgement | undefined,
): Promise<UpdateVerdict | undefined> => {
  const { service, call } = attempt;
  const sealed = await service.vault.seal(user, template);
  const { tenantId, pseudonym, revision, id, keyId } = user;
  const at = service.clock();
  const keys = { key: sealed.keyId, destroyedKey: keyId };
  // Stored key: earlier releases wrote it.
  const body = { person: id, ...keys, transaction: call.transactionId, ...matchedIdsOf(candidate) };
  const evidence = [evidenceOf(service, "person_template_replaced", body)];
  const step = stepOf({ evidence, operation: attempt.operation });
  const answer = await service.store.replaceTemplate(
    { ...sealed, tenantId, pseudonym, revision, at },
    transactionOf(call, entryOfUpdate(attempt, "updated", comparison, candidate)),
    step,
    candidate.searchedAt,
  );
  return wasCounted(answer, at) ? "updated" : undefined;
};

type Usable = { readonly template: Uint8Array; readonly comparison?: FacialJudgement };

const requireUsable = ({ service: { face }, fresh }: Attempt, registered: Uint8Array): Usable => {
  const template = templateOf(fresh.side);
  if (template === undefined || recogniserOfTemplate(template) !== face.recogniser) {
    throw new Failure("template_unusable");
  }
  if (recogniserOfTemplate(registered) !== face.recogniser) {
    const reason = face.judgeAlone(fresh.side);
    if (reason !== "Positive") {
      throw new Failure("template_unusable", { reason });
    }
    return { template };
  }
  const side = fresh.side.kind === "template" ? withTrustedCohortScore(template, registered) : fresh.side;
  const comparison = face.compare(side, { kind: "template", template: registered });
  if (comparison.comparison === undefined) {
    throw new Failure("template_unusable", { reason: comparison.result });
  }
  if (comparison.result !== "Positive") {
    throw new Failure("template_mismatch");
  }
  return { template: templateOf(side) ?? template, comparison };
};

const entryOfUpdate = (
  { service, fresh, tokens }: Attempt,
  verdict: UpdateVerdict,
  comparison?: FacialJudgement,
  candidate?: EnrolmentCandidate,
) => {
  return entryOf(service, {
    endpoint,
    result: { code: updateUserTemplateResult[verdict].code },
    measurements: {
      // Stored key: earlier releases wrote it.
      pictures: fresh.measured.map(measurementsOf),
      comparison: comparison === undefined ? null : comparisonOf(comparison),
      ...(candidate === undefined ? {} : { search: describeCandidate(candidate) }),
    },
    measured: fresh.measured,
    tokens,
  });
};
