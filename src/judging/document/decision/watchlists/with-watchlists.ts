import type { DocumentHistory, HistoryQuestion, LookUpHistory } from "../history/history.ts";
import type { CivilRegistry } from "./civil-registry.ts";
import type { PepList, PepMatches, PepPerson } from "./pep-list.ts";

/**
 * A list that may be searched elsewhere, as in a thread. Implemented by readPepList, and by startPepThread of
 * `src/app`.
 */
export type Peps = Pick<PepList, "source" | "version"> & {
  readonly findMatches: (person: PepPerson) => PepMatches | Promise<PepMatches>;
};

/** The watchlists and registries that are configured. */
export type Watchlists = { readonly peps?: Peps; readonly registry?: CivilRegistry };

/**
 * Adds to a history the results of the list of exposed persons and of the civil registry, where configured.
 */
export const withWatchlists =
  (lookUp: LookUpHistory, { peps, registry }: Watchlists): LookUpHistory =>
  async (question) => {
    const known = await lookUp(question);
    const { owner, person, number, personalNumber, civil, signal } = question;
    const exposed = peps === undefined ? undefined : await findExposed(peps, person);
    const answer =
      registry === undefined || number === undefined
        ? undefined
        : await registry(
            {
              ...civil,
              owner,
              personalNumber: personalNumber?.[1] ?? null,
              country: number[0],
              number: number[1],
              lastName: person?.lastName ?? null,
              firstName: person?.firstName ?? null,
              dateOfBirth: person?.dateOfBirth ?? null,
            },
            signal,
          );
    const history: DocumentHistory = {
      ...known.history,
      ...(peps !== undefined &&
        exposed !== undefined && { exposed: { matches: exposed, list: `${peps.source} ${peps.version}` } }),
      ...(answer !== undefined && { registry: answer }),
    };
    return { ...known, history };
  };

/** Without a reported given name the search would match all who share a surname. */
const findExposed = async (
  peps: Peps,
  person: HistoryQuestion["person"],
): Promise<NonNullable<DocumentHistory["exposed"]>["matches"]> =>
  person === undefined || person.firstName === null
    ? "unknown"
    : await peps.findMatches({ ...person, firstName: person.firstName });
