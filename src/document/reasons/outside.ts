import type { ReasonCode } from "#contract/reason-code";
import { ask, given, notGiven, type ReachingTest, type ReasonRow } from "./row.ts";

/** A drawn passport, whose holder others know. */
const asked = (title: string): ReachingTest => ({
  file: "src/document/outside/with-outside.test.ts",
  title,
});

const registry = (decisions: ReasonRow["decisions"], from: string, when: string): ReasonRow =>
  given(
    {
      decidedBy: "a provider",
      from,
      decisions,
      when: `${when}. Only where a civil registry is connected; without one the check is kept as not made`,
      next: ask,
    },
    "No picture brings it: a connected registry does",
    {
      ...asked("asks a registry for what the document says, and heeds what it answers (123, 544)"),
      unpictured: "a civil registry must be connected, and this release connects none",
    },
  );

/** What only somebody outside knows. */
export const outsideReasons = {
  112: notGiven(
    "a provider",
    "the address of the person",
    "input",
    "calls come from the integrator's server; the person's own address comes with tracking",
  ),
  123: registry(
    [9102, 9121],
    "the registry's answer",
    "The registry knows other data than the document; 9121 where what it was asked with may be misread",
  ),
  126: given(
    {
      decidedBy: "a person",
      from: "name and birth date, among the exposed persons of an imported list",
      decisions: [9121],
      when: "`IDEM_PEP_LIST` is set: the list has somebody of the same or a shortened name whose birth date does not contradict, or the name could not be read",
      next: "Let a person of yours look: a name is shared by many",
    },
    "`idem pep import`, then a document with such a name",
    asked("sends a holder who could be an exposed person to a person (126), and nobody else"),
  ),
  527: notGiven("nobody", "a proof of address", "input", "the interface carries none"),
  528: notGiven("nobody", "a proof of address", "input", "the interface carries none"),
  544: registry([9121], "the registry's silence", "The registry did not answer in time"),
} as const satisfies Partial<Record<ReasonCode, ReasonRow>>;
