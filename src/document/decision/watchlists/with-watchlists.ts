import type { DocumentHistory, HistoryQuestion, LookUpHistory } from "../history/history.ts";
import type { CivilRegistry } from "./civil-registry.ts";
import type { PepList } from "./pep-list.ts";

/** The watchlists and registries that are configured. */
export type Watchlists = { readonly peps?: PepList; readonly registry?: CivilRegistry };

/**
 * Adds to a history the results of the list of exposed persons and of the civil registry, where configured.
 */
export const withWatchlists =
  (lookUp: LookUpHistory, { peps, registry }: Watchlists): LookUpHistory =>
  async (question) => {
    const known = await lookUp(question);
    const { owner, person, number, personalNumber, civil, signal } = question;
    const exposed = peps === undefined ? undefined : findExposed(peps, person);
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
const findExposed = (
  peps: PepList,
  person: HistoryQuestion["person"],
): NonNullable<DocumentHistory["exposed"]>["matches"] =>
  person === undefined || person.firstName === null
    ? "unknown"
    : peps.findMatches({ ...person, firstName: person.firstName });
