import { Failure } from "#contract/failure";
import { asInput } from "#contract/input";
import { updateUserTemplateResult } from "#contract/result-code";
import type { FacialJudgement } from "#face/matching/judge-comparison";
import type { Person } from "#storage/person";
import type { OpenedToken } from "#tokens/token";
import { alikeIn, describeNewcomer, type Newcomer } from "./newcomers.ts";
import {
  lentSide,
  type MeasuredReference,
  measureReference,
  openReference,
  templateOf,
} from "./open-faces.ts";
import {
  evidenceOf,
  type PeopleCall,
  type PeopleService,
  pseudonymOf,
  recordOf,
  refuseHeld,
  untilSettled,
  wasCounted,
} from "./service.ts";

export type UpdateVerdict = "updated" | "templateOfAnotherUser" | "templateNotRegistered" | "userNotFound";

export type Update = {
  readonly verdict: UpdateVerdict;
  /** The new template, for a caller who sent a face image in its place. */
  readonly template?: Uint8Array;
};

export type UpdateTemplate = (
  call: PeopleCall,
  userId: string,
  oldTemplate: Uint8Array,
  newTemplate: Uint8Array,
) => Promise<Update>;

type Visit = {
  readonly service: PeopleService;
  readonly call: PeopleCall;
  readonly old: OpenedToken;
  readonly fresh: MeasuredReference;
  readonly tokens: readonly OpenedToken[];
};

/**
 * Replaces a user's template for a caller who has the registered one. That one may be of an older recogniser: this is
 * how a user moves to the present one. The new one must be of the present recogniser and, where the two can be compared,
 * of the same person. Fails with a token or image failure (inputs `old` and, for the new one, `reference`), user_paused,
 * user_disabled, template_unusable (also for somebody who would not be enrolled: blocked, or registered as another user where
 * duplicates are refused), template_mismatch or search_unavailable.
 */
export const makeUpdateTemplate =
  (service: PeopleService): UpdateTemplate =>
  async (call, userId, oldTemplate, newTemplate) => {
    const { caller } = call;
    const old = await asInput("old", () => service.openToken(oldTemplate, "template", call.receivedAt));
    const reference = await openReference(service, call, { kind: "token", token: newTemplate });
    const pseudonym = await pseudonymOf(service.keyring, caller, userId);
    const fresh = await measureReference(service, call, reference);
    const visit: Visit = { service, call, old, fresh, tokens: [old, ...reference.tokens] };
    return await untilSettled(async () => {
      const person = await service.store.findPerson(caller.tenantId, pseudonym);
      const verdict = person === undefined ? await missUser(visit) : await replace(visit, person);
      const isMade = verdict === "updated" && reference.kind === "picture";
      const template = isMade ? templateOf(fresh.side) : undefined;
      return verdict && { verdict, ...(template && { template }) };
    });
  };

const missUser = async (visit: Visit): Promise<UpdateVerdict> => {
  const verdict = "userNotFound";
  await visit.service.store.recordTransaction(recordVisit(visit, verdict), [], { events: [], evidence: [] });
  return verdict;
};

const replace = async (visit: Visit, person: Person): Promise<UpdateVerdict | undefined> => {
  const { service, old } = visit;
  refuseHeld(person, service.clock());
  const registered = await service.vault.open(person);
  return service.face.isSameTemplate(old.payload, registered)
    ? await overwrite(visit, person, registered)
    : await refuseOld(visit, person, registered);
};

/** Of the same person, but not what is registered; or of somebody else, or not comparable. */
const refuseOld = async (
  visit: Visit,
  person: Person,
  registered: Uint8Array,
): Promise<UpdateVerdict | undefined> => {
  const { service, call, old } = visit;
  const comparison = service.face.compare(lentSide(service.face, old.payload, registered), {
    kind: "template",
    template: registered,
  });
  const verdict = comparison.result === "Positive" ? "templateNotRegistered" : "templateOfAnotherUser";
  const at = service.clock();
  const { tenantId, pseudonym, revision } = person;
  const finding = comparison.comparison === undefined ? ("nothing" as const) : ("against" as const);
  const body = { person: person.id, transaction: call.transactionId };
  const disabling = evidenceOf(service, "person_disabled", body);
  const answer = await service.store.recordAttempt(
    { tenantId, pseudonym, revision, at, finding, throttle: service.policy.throttle, disabling },
    recordVisit(visit, verdict, comparison),
    [],
  );
  return wasCounted(answer, at) ? verdict : undefined;
};

const overwrite = async (
  visit: Visit,
  person: Person,
  registered: Uint8Array,
): Promise<UpdateVerdict | undefined> => {
  const { template, comparison } = requireUsable(visit, registered);
  const { newcomers } = visit.service;
  return await newcomers.admit(
    visit.call,
    [template],
    async (newcomer) => {
      if (newcomer.refusal !== undefined) {
        throw new Failure("template_unusable", { reason: newcomer.refusal });
      }
      return await write(visit, person, template, newcomer, comparison);
    },
    person.id,
  );
};

const write = async (
  visit: Visit,
  person: Person,
  template: Uint8Array,
  newcomer: Newcomer,
  comparison: FacialJudgement | undefined,
): Promise<UpdateVerdict | undefined> => {
  const { service, call } = visit;
  const sealed = await service.vault.seal(person, template);
  const { tenantId, pseudonym, revision, id, keyId } = person;
  const at = service.clock();
  const keys = { key: sealed.keyId, destroyedKey: keyId };
  const body = { person: id, ...keys, transaction: call.transactionId, ...alikeIn(newcomer) };
  const step = { events: [], evidence: [evidenceOf(service, "person_template_replaced", body)] };
  const answer = await service.store.replaceTemplate(
    { ...sealed, tenantId, pseudonym, revision, at },
    recordVisit(visit, "updated", comparison, newcomer),
    step,
    newcomer.searchedAt,
  );
  return wasCounted(answer, at) ? "updated" : undefined;
};

type Usable = { readonly template: Uint8Array; readonly comparison?: FacialJudgement };

const requireUsable = ({ service: { face }, fresh }: Visit, registered: Uint8Array): Usable => {
  const template = templateOf(fresh.side);
  if (template === undefined || face.recogniserOf(template) !== face.recogniser) {
    throw new Failure("template_unusable");
  }
  if (face.recogniserOf(registered) !== face.recogniser) {
    const reason = face.judgeAlone(fresh.side);
    if (reason !== "Positive") {
      throw new Failure("template_unusable", { reason });
    }
    return { template };
  }
  const side = fresh.side.kind === "template" ? lentSide(face, template, registered) : fresh.side;
  const comparison = face.compare(side, { kind: "template", template: registered });
  if (comparison.comparison === undefined) {
    throw new Failure("template_unusable", { reason: comparison.result });
  }
  if (comparison.result !== "Positive") {
    throw new Failure("template_mismatch");
  }
  return { template: templateOf(side) ?? template, comparison };
};

const recordVisit = (
  { service, call, fresh, tokens }: Visit,
  verdict: UpdateVerdict,
  comparison?: FacialJudgement,
  newcomer?: Newcomer,
) => {
  const { describe } = service.face;
  return recordOf(service, call, {
    endpoint: "updateUserTemplate",
    result: { code: updateUserTemplateResult[verdict].code },
    measurements: {
      pictures: fresh.measured.map(describe.measurement),
      comparison: comparison === undefined ? null : describe.comparison(comparison),
      ...(newcomer === undefined ? {} : { search: describeNewcomer(newcomer) }),
    },
    measured: fresh.measured,
    tokens,
  });
};
