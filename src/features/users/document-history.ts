import type { Json } from "#contract/json";
import type {
  DocumentHistory,
  FaceMatch,
  HistoryQuestion,
  LookUpHistory,
  ReferenceMatch,
} from "#judging/document/decision/history/history";
import type { ClaimCommands } from "#judging/document/store/claim-store";
import type { FaceJudging } from "#judging/face/judging";
import { comparisonOf } from "#judging/face/record";
import type { Keyring } from "#machine/storage/blobs";
import type { SearchPolicy } from "./policy.ts";
import { type CountFaces, describeSearch, type SearchAnswer, type SearchFaces } from "./search-faces.ts";
import { pseudonymOf } from "./service.ts";
import type { UserCommands } from "./store/user-store.ts";
import type { TemplateVault } from "./template-vault.ts";

type Deps = {
  readonly searchFaces: SearchFaces;
  readonly countFaces: CountFaces;
  readonly face: Pick<FaceJudging, "compare" | "comparePortrait" | "measure" | "recogniser">;
  readonly vault: Pick<TemplateVault, "open">;
  readonly keyring: Pick<Keyring, "pseudonym">;
  readonly store: Pick<ClaimCommands, "findClaims"> & Pick<UserCommands, "findUser">;
  readonly policy: SearchPolicy;
  /** True if the numbers of approved documents are kept. */
  readonly keepsNumbers: boolean;
};

/**
 * Looks up the history of a document's portrait and number. It searches the blocked faces, if there are any.
 * It searches the registered users and the approved documents, if the operator enabled that. It compares
 * the portrait with the template of the claimed customer, if the document policy asks for it. The customer is
 * the caller's reference of the validation: a face registered under that userId, and a number approved for
 * it, are the customer's own.
 */
export const makeLookUpHistory =
  (deps: Deps): LookUpHistory =>
  async (question) => {
    const { owner } = question;
    const { duplicates } = deps.policy;
    const isBlocking = (await deps.countFaces("blocked", owner)) > 0;
    const needsTemplate = isBlocking || duplicates !== "off" || question.wantsReference;
    const template = needsTemplate ? await readPortrait(deps, question) : undefined;
    const search = (list: "blocked" | "people") =>
      template && deps.searchFaces(list, owner, template, question.signal);
    const blocked = isBlocking ? await search("blocked") : undefined;
    const users = duplicates === "off" ? undefined : await search("people");
    const reference = question.wantsReference ? await readReference(deps, question, template) : undefined;
    const numbers = await readNumber(deps, question);
    const history: DocumentHistory = {
      ...(isBlocking && { blockedFace: faceMatchOf(blocked) }),
      ...(duplicates !== "off" && {
        registeredFace: {
          match: faceMatchOf(users && (await exceptCustomer(deps, question, users))),
          isForbidden: duplicates === "refuse",
        },
      }),
      ...(reference && { reference: reference.match }),
      ...(deps.keepsNumbers && { numberOfAnother: numbers?.isOfAnother ?? "unknown" }),
    };
    const searches = [blocked, users].filter((answer) => answer !== undefined);
    const record: Json = [...searches.map(describeSearch), ...(reference?.record ?? [])];
    return { history, record, ...(numbers && { claim: numbers.claim }) };
  };

/** The template of a portrait, if its quality suffices for an enrolment. */
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

type ReadReference = { readonly match: ReferenceMatch; readonly record: readonly Json[] };

const readReference = async (
  { face, vault, keyring, store }: Deps,
  { owner, customer }: HistoryQuestion,
  portrait: Uint8Array | undefined,
): Promise<ReadReference> => {
  if (customer === null || customer === "") return { match: "unnamed", record: [] };
  const user = await store.findUser(owner.tenantId, await pseudonymOf(keyring, owner, customer));
  if (user === undefined) return { match: "unregistered", record: [] };
  if (portrait === undefined || user.recogniser !== face.recogniser) {
    return { match: "unknown", record: [] };
  }
  const [registered, seen] = [await vault.open(user), portrait].map(
    (template) => ({ kind: "template", template }) as const,
  );
  const judgement = face.comparePortrait(registered!, seen!);
  const { result } = judgement;
  return {
    match: result === "Positive" ? "same" : result === "Negative" ? "other" : "unknown",
    record: [{ reference: user.id, comparison: comparisonOf(judgement) }],
  };
};

const faceMatchOf = (answer: Pick<SearchAnswer, "matches" | "missing"> | undefined): FaceMatch => {
  if (answer === undefined) {
    return "unknown";
  }
  if (answer.matches.some(({ isSure }) => isSure)) {
    return "sure";
  }
  if (answer.matches.length > 0) {
    return "possible";
  }
  return answer.missing > 0 ? "unknown" : "none";
};

const exceptCustomer = async (
  { keyring }: Deps,
  { owner, customer }: HistoryQuestion,
  { matches, missing }: SearchAnswer,
): Promise<Pick<SearchAnswer, "matches" | "missing">> => {
  const customerPseudonym = customer === null ? undefined : await pseudonymOf(keyring, owner, customer);
  return { matches: matches.filter(({ pseudonym }) => pseudonym !== customerPseudonym), missing };
};

const readNumber = async (
  { keyring, store, keepsNumbers }: Deps,
  { owner: { tenantId, environment }, customer, number }: HistoryQuestion,
) => {
  if (!keepsNumbers || customer === null || number === undefined) {
    return undefined;
  }
  const hash = (kind: string, parts: readonly string[]): Promise<string> =>
    keyring.pseudonym(tenantId, "documents", JSON.stringify([kind, environment, ...parts]));
  const numberHash = await hash("number", number);
  const customerHash = await hash("customer", [customer]);
  const seen = await store.findClaims(tenantId, numberHash);
  return { claim: { numberHash, customerHash, seen }, isOfAnother: seen.some((one) => one !== customerHash) };
};
