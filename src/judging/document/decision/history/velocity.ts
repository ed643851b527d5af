import type { Keyring } from "#machine/storage/blobs";
import type { ListedDocumentCommands } from "../../store/listed-document-store.ts";
import type { ExpectedHistory } from "../../store/validation.ts";
import { canonicalNumber } from "../../values/numbers/canonical-number.ts";
import type { DocumentPolicy } from "../policy.ts";
import type { DocumentHistory, HistoryQuestion, ListedField, LookUpHistory } from "./history.ts";

type Deps = {
  readonly store: Pick<ListedDocumentCommands, "isDocumentListed" | "countVelocityEvents">;
  readonly keyring: Pick<Keyring, "pseudonym">;
  readonly policy: DocumentPolicy;
  readonly clock: () => Date;
};

type Owner = HistoryQuestion["owner"];

/** The keyed hash of a listed document: of its number as the country writes it, for every declared type. */
export const listedHash = (
  keyring: Pick<Keyring, "pseudonym">,
  { tenantId, environment }: Owner,
  country: string,
  number: string,
): Promise<string> => {
  const canonical = canonicalNumber(country, number);
  return keyring.pseudonym(
    tenantId,
    "documents",
    JSON.stringify(["listed", environment, country, canonical]),
  );
};

const hourMs = 3_600_000;

/** The start of the period in which attempts are counted: an attempt at this time still counts. */
export const velocityStart = ({ velocity }: Pick<DocumentPolicy, "velocity">, now: Date): Date =>
  new Date(now.getTime() - velocity.hours * hourMs);

/**
 * Adds to a history whether the operator listed the document, and how often its number or its caller's
 * reference came within the policy's hours. Without a reported number only the reference is counted. The
 * store compares both answers again in the transaction of the decision: of two simultaneous validations the
 * second counts the first.
 */
export const withHistoryChecks =
  (lookUp: LookUpHistory, deps: Deps): LookUpHistory =>
  async (question) => {
    const known = await lookUp(question);
    const { attemptsMax } = deps.policy.velocity;
    const numbers = await readListed(deps, question);
    const velocityEvents = attemptsMax === 0 ? [] : await hashesOf(deps, question);
    const since = velocityStart(deps.policy, deps.clock());
    const attempts =
      velocityEvents.length === 0
        ? undefined
        : await countAttempts(deps, question.owner, velocityEvents, since);
    const history: DocumentHistory = {
      ...known.history,
      ...(numbers !== undefined && { listed: numbers.listed }),
      ...(attempts !== undefined && { attempts }),
    };
    const expected: ExpectedHistory = {
      unlisted: numbers?.unlisted ?? [],
      // This attempt is not stored yet. More than the maximum stays more than the maximum.
      ...(attempts !== undefined &&
        attempts <= attemptsMax && { velocity: { since, eventsMax: attemptsMax - 1 } }),
    };
    return { ...known, history, velocityEvents, expected };
  };

type ListedNumbers = { readonly listed: readonly ListedField[]; readonly unlisted: readonly string[] };

/**
 * The numbers by which the document is listed, and the hashes of the others; undefined without a reported
 * number.
 */
const readListed = async (
  { store, keyring }: Deps,
  { owner, number, personalNumber }: HistoryQuestion,
): Promise<ListedNumbers | undefined> => {
  const numbers = [
    { field: "documentNumber", number },
    { field: "personalNumber", number: personalNumber },
  ] as const;
  const known = numbers.flatMap((one) => (one.number === undefined ? [] : [{ ...one, number: one.number }]));
  const found = await Promise.all(
    known.map(async ({ field, number: [country, text] }) => {
      const hash = await listedHash(keyring, owner, country, text);
      return { field, hash, isListed: await store.isDocumentListed(owner.tenantId, hash) };
    }),
  );
  if (found.length === 0) return undefined;
  return {
    listed: found.filter(({ isListed }) => isListed).map(({ field }) => field),
    unlisted: found.filter(({ isListed }) => !isListed).map(({ hash }) => hash),
  };
};

const hashesOf = async (
  { keyring }: Deps,
  { owner: { tenantId, environment }, customer, number }: HistoryQuestion,
): Promise<readonly string[]> => {
  const hash = (kind: string, words: readonly string[]): Promise<string> =>
    keyring.pseudonym(tenantId, "documents", JSON.stringify([kind, environment, ...words]));
  return [
    ...(number === undefined ? [] : [await hash("seen number", number)]),
    ...(customer === null || customer === "" ? [] : [await hash("seen reference", [customer])]),
  ];
};

/** Attempts of the most frequent hash: the recorded ones and this one. */
const countAttempts = async (
  { store }: Deps,
  { tenantId }: Owner,
  hashes: readonly string[],
  since: Date,
): Promise<number> => {
  const counts = await Promise.all(hashes.map((hash) => store.countVelocityEvents(tenantId, hash, since)));
  return 1 + Math.max(...counts);
};
