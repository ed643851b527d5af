import type {
  DocumentHistory,
  FaceSighting,
  HistoryQuestion,
  LookUpHistory,
  ReferenceSighting,
} from "#document/history";
import type { FaceJudging } from "#face/judging";
import type { Keyring } from "#storage/blobs";
import type { Json, Store } from "#storage/store";
import type { SearchPolicy } from "./policy.ts";
import { type CountFaces, describeSearch, type SearchAnswer, type SearchFaces } from "./search-faces.ts";
import { pseudonymOf } from "./service.ts";
import type { TemplateVault } from "./template-vault.ts";

type Deps = {
  readonly searchFaces: SearchFaces;
  readonly countFaces: CountFaces;
  readonly face: Pick<FaceJudging, "compare" | "comparePortrait" | "measure" | "recogniser" | "describe">;
  readonly vault: Pick<TemplateVault, "open">;
  readonly keyring: Pick<Keyring, "pseudonym">;
  readonly store: Pick<Store, "findClaims" | "findPerson">;
  readonly policy: SearchPolicy;
  /** Whether the numbers of approved documents are kept. */
  readonly keepsNumbers: boolean;
};

/**
 * What is known of a document's portrait and number: among blocked faces where there are any, among registered users and
 * among approved documents where the operator wants it; and, where the policy of documents asks, beside the template of the
 * customer whose it is said to be. The caller's reference of the validation stands for the customer:
 * a face that is registered under that very userId, and a number that was approved for it, are the customer's own.
 */
export const makeLookUpHistory =
  (deps: Deps): LookUpHistory =>
  async (question) => {
    const { owner } = question;
    const { duplicates } = deps.policy;
    const isBlocking = (await deps.countFaces("blocked", owner)) > 0;
    const isAsked = isBlocking || duplicates !== "off" || question.wantsReference;
    const template = isAsked ? await readPortrait(deps, question) : undefined;
    const search = (list: "blocked" | "people") =>
      template && deps.searchFaces(list, owner, template, question.signal);
    const blocked = isBlocking ? await search("blocked") : undefined;
    const people = duplicates === "off" ? undefined : await search("people");
    const reference = question.wantsReference ? await readReference(deps, question, template) : undefined;
    const numbers = await readNumber(deps, question);
    const history: DocumentHistory = {
      ...(isBlocking && { blockedFace: sightingOf(blocked) }),
      ...(duplicates !== "off" && {
        registeredFace: {
          sighting: sightingOf(people && (await withoutOwn(deps, question, people))),
          isForbidden: duplicates === "refuse",
        },
      }),
      ...(reference && { reference: reference.sighting }),
      ...(deps.keepsNumbers && { numberOfAnother: numbers?.isOfAnother ?? "unknown" }),
    };
    const searches = [blocked, people].filter((answer) => answer !== undefined);
    const record: Json = [...searches.map(describeSearch), ...(reference?.record ?? [])];
    return { history, record, ...(numbers && { claim: numbers.claim }) };
  };

/** The template of a portrait that could be known again, as at an enrolment. */
const readPortrait = async (
  { face }: Deps,
  { portrait, signal }: HistoryQuestion,
): Promise<Uint8Array | undefined> => {
  const measured = portrait && (await face.measure(portrait, { template: true }, signal));
  if (measured?.kind !== "measured" || measured.template === undefined) {
    return undefined;
  }
  const { template } = measured;
  return face.compare(measured, { kind: "template", template }).result === "Positive" ? template : undefined;
};

type ReadReference = { readonly sighting: ReferenceSighting; readonly record: readonly Json[] };

const readReference = async (
  { face, vault, keyring, store }: Deps,
  { owner, customer }: HistoryQuestion,
  portrait: Uint8Array | undefined,
): Promise<ReadReference> => {
  if (customer === null || customer === "") return { sighting: "unnamed", record: [] };
  const person = await store.findPerson(owner.tenantId, await pseudonymOf(keyring, owner, customer));
  if (person === undefined) return { sighting: "unregistered", record: [] };
  if (portrait === undefined || person.recogniser !== face.recogniser) {
    return { sighting: "unknown", record: [] };
  }
  const [registered, seen] = [await vault.open(person), portrait].map(
    (template) => ({ kind: "template", template }) as const,
  );
  const judgement = face.comparePortrait(registered!, seen!);
  const { result } = judgement;
  return {
    sighting: result === "Positive" ? "same" : result === "Negative" ? "other" : "unknown",
    record: [{ reference: person.id, comparison: face.describe.comparison(judgement) }],
  };
};

const sightingOf = (answer: Pick<SearchAnswer, "hits" | "missing"> | undefined): FaceSighting => {
  if (answer === undefined) {
    return "unknown";
  }
  if (answer.hits.some(({ isSure }) => isSure)) {
    return "sure";
  }
  if (answer.hits.length > 0) {
    return "possible";
  }
  return answer.missing > 0 ? "unknown" : "none";
};

const withoutOwn = async (
  { keyring }: Deps,
  { owner, customer }: HistoryQuestion,
  { hits, missing }: SearchAnswer,
): Promise<Pick<SearchAnswer, "hits" | "missing">> => {
  const own = customer === null ? undefined : await pseudonymOf(keyring, owner, customer);
  return { hits: hits.filter(({ pseudonym }) => pseudonym !== own), missing };
};

const readNumber = async (
  { keyring, store, keepsNumbers }: Deps,
  { owner: { tenantId, world }, customer, number }: HistoryQuestion,
) => {
  if (!keepsNumbers || customer === null || number === undefined) {
    return undefined;
  }
  const hash = (kind: string, words: readonly string[]): Promise<string> =>
    keyring.pseudonym(tenantId, "documents", JSON.stringify([kind, world, ...words]));
  const claim = { number: await hash("number", number), customer: await hash("customer", [customer]) };
  const seen = await store.findClaims(tenantId, claim.number);
  return { claim: { ...claim, seen }, isOfAnother: seen.some((one) => one !== claim.customer) };
};
