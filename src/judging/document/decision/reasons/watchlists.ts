import type { ReasonCode } from "#contract/reason-code";
import { ask, given, notGiven, type ReachingTest, type ReasonRow } from "./row.ts";

/** A test with a drawn passport whose holder is on a watchlist or in a registry. */
const withWatchlist = (title: string): ReachingTest => ({
  file: "src/judging/document/decision/watchlists/with-watchlists.engine.test.ts",
  title,
});

const registry = (decisions: ReasonRow["decisions"], from: string, when: string): ReasonRow =>
  given(
    {
      decidedBy: "a provider",
      from,
      decisions,
      when: `${when}. Only where a civil registry is connected; without one the check is recorded as not made`,
      next: ask,
    },
    "No image causes it: a connected registry does",
    {
      ...withWatchlist("queries a registry with the document's data, and applies its answer (123, 544)"),
      whyNoImage: "a civil registry must be connected, and this release connects none",
    },
  );

/** Reasons of watchlists and other external sources. */
export const watchlistReasons = {
  112: notGiven(
    "a provider",
    "the address of the person",
    "input",
    "calls come from the integrator's server; the person's own address comes with tracking",
  ),
  123: registry(
    [9102, 9121],
    "the registry's answer",
    "The registry has other data than the document; 9121 where the data of the query may be misread",
  ),
  126: given(
    {
      decidedBy: "a person",
      from: "name and birth date, among the exposed persons of an imported list",
      decisions: [9121],
      when: "`IDEM_PEP_LIST` is set: the list has a person of the same or a shortened name whose birth date does not contradict, or the name could not be read",
      next: "Let a person of yours look: many people share a name",
    },
    "`idem pep import`, then a document with such a name",
    withWatchlist("sends only a holder who could be an exposed person to review (126)"),
  ),
  527: notGiven("none", "a proof of address", "input", "the interface carries none"),
  528: notGiven("none", "a proof of address", "input", "the interface carries none"),
  544: registry([9121], "the registry's silence", "The registry did not answer in time"),
} as const satisfies Partial<Record<ReasonCode, ReasonRow>>;
