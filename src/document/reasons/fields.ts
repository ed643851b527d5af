import type { ReasonCode } from "#contract/reason-code";
import { given, judged, notGiven, type ReasonRow, sendAgain } from "./row.ts";

const notCollected = (name: string): ReasonRow =>
  given(
    {
      from: "the machine-readable zone",
      decisions: [9103],
      when: `The zone was read, but its ${name} was not, although its format carries it`,
      next: `${sendAgain} with the zone whole and without glare`,
    },
    `A zone whose ${name} is filled with fillers`,
    judged("asks for a field that the zone carries and that was not read (%s)"),
  );

const printed = (what: string): ReasonRow =>
  notGiven(
    "this service",
    "printed text in the places of a model",
    "check",
    `${what} is printed only, and no model of a country is compared with the picture yet`,
  );

const never = (what: string): ReasonRow =>
  notGiven("nobody", "printed text", "check", `no document that has a model prints ${what}`);

/** Fields that a document carries and that were not read. */
export const fieldReasons = {
  625: notCollected("surname"),
  626: notGiven(
    "this service",
    "the names of the document",
    "check",
    "a person may have one name only (ICAO 9303-3, 4.6), so that a zone without given names is whole",
  ),
  627: notCollected("birth date"),
  628: printed("the date of issue"),
  629: notCollected("expiry date"),
  630: notCollected("sex"),
  631: notCollected("document number"),
  632: printed("a personal number"),
  633: notCollected("nationality"),
  634: printed("the home address"),
  644: printed("the citizen identifier"),
  649: printed("the information on foreigners"),
  650: printed("the process number"),
  651: printed("the occupation"),
  652: never("an employer"),
  653: printed("the type of a residence permit"),
  654: printed("the number of a licence"),
  655: printed("an additional name"),
  657: notGiven(
    "this service",
    "the picture of a passport",
    "check",
    "asked again as 645: its zone is on that page",
  ),
  662: never("remarks that a check asks for"),
} as const satisfies Partial<Record<ReasonCode, ReasonRow>>;
