import type { DocumentHistory, HistoryQuestion, LookUpHistory } from "../history.ts";
import type { CivilRegistry } from "./civil-registry.ts";
import type { PepList } from "./pep-list.ts";

/** What is asked outside of this service, where there is something to ask. */
export type Outside = { readonly peps?: PepList; readonly registry?: CivilRegistry };

/** Adds to a history what a list of exposed persons and a civil registry say. What is not there is not answered. */
export const withOutside =
  (lookUp: LookUpHistory, { peps, registry }: Outside): LookUpHistory =>
  async (question) => {
    const known = await lookUp(question);
    const { person, number, signal } = question;
    const exposed = peps === undefined ? undefined : findExposed(peps, person);
    const answer =
      registry === undefined || number === undefined
        ? undefined
        : await registry(
            {
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

/** Without a sure given name nobody can be told from the many who share a surname. */
const findExposed = (
  peps: PepList,
  person: HistoryQuestion["person"],
): NonNullable<DocumentHistory["exposed"]>["matches"] =>
  person === undefined || person.firstName === null
    ? "unknown"
    : peps.findMatches({ ...person, firstName: person.firstName });
