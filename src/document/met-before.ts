import type { Keyring } from "#storage/blobs";
import type { Store } from "#storage/store";
import type { DocumentHistory, HistoryQuestion, ListedField, LookUpHistory } from "./history.ts";
import { canonicalNumber } from "./numbers/canonical-number.ts";
import type { DocumentPolicy } from "./policy.ts";

type Deps = {
  readonly store: Pick<Store, "isDocumentListed" | "countSightings">;
  readonly keyring: Pick<Keyring, "pseudonym">;
  readonly policy: DocumentPolicy;
  readonly clock: () => Date;
};

type Owner = HistoryQuestion["owner"];

/** The keyed hash by which a listed document is known: by its number as the country writes it, of whichever kind it is said to be. */
export const listedHash = (
  keyring: Pick<Keyring, "pseudonym">,
  { tenantId, world }: Owner,
  country: string,
  number: string,
): Promise<string> => {
  const canonical = canonicalNumber(country, number);
  return keyring.pseudonym(tenantId, "documents", JSON.stringify(["listed", world, country, canonical]));
};

const hourMs = 3_600_000;

/**
 * Adds to a history whether the operator listed the document, and how often its number or its caller's reference came in
 * the policy's time. Without a sure number only the reference is counted.
 */
export const withMetBefore =
  (lookUp: LookUpHistory, deps: Deps): LookUpHistory =>
  async (question) => {
    const known = await lookUp(question);
    const { owner } = question;
    const listed = await readListed(deps, question);
    const sightings = deps.policy.velocity.attemptsMax === 0 ? [] : await hashesOf(deps, question);
    const history: DocumentHistory = {
      ...known.history,
      ...(listed !== undefined && { listed }),
      ...(sightings.length > 0 && { attempts: await mostOf(deps, owner, sightings) }),
    };
    return { ...known, history, sightings };
  };

/** By which of its numbers the document is listed; undefined without a sure one. */
const readListed = async (
  { store, keyring }: Deps,
  { owner, number, personalNumber }: HistoryQuestion,
): Promise<readonly ListedField[] | undefined> => {
  const numbers = [
    { field: "documentNumber", number },
    { field: "personalNumber", number: personalNumber },
  ] as const;
  const sure = numbers.flatMap((one) => (one.number === undefined ? [] : [{ ...one, number: one.number }]));
  const found = await Promise.all(
    sure.map(async ({ field, number: [country, text] }) => {
      const hash = await listedHash(keyring, owner, country, text);
      return (await store.isDocumentListed(owner.tenantId, hash)) ? [field] : [];
    }),
  );
  return sure.length === 0 ? undefined : found.flat();
};

const hashesOf = async (
  { keyring }: Deps,
  { owner: { tenantId, world }, customer, number }: HistoryQuestion,
): Promise<readonly string[]> => {
  const hash = (kind: string, words: readonly string[]): Promise<string> =>
    keyring.pseudonym(tenantId, "documents", JSON.stringify([kind, world, ...words]));
  return [
    ...(number === undefined ? [] : [await hash("seen number", number)]),
    ...(customer === null || customer === "" ? [] : [await hash("seen reference", [customer])]),
  ];
};

/** This attempt is one more than those that are noted. */
const mostOf = async (
  { store, policy, clock }: Deps,
  { tenantId }: Owner,
  hashes: readonly string[],
): Promise<number> => {
  const since = new Date(clock().getTime() - policy.velocity.hours * hourMs);
  const counts = await Promise.all(hashes.map((hash) => store.countSightings(tenantId, hash, since)));
  return 1 + Math.max(...counts);
};
