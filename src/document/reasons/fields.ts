import type { ReasonCode } from "#contract/reason-code";
import { fromPictures, given, notGiven, type ReasonRow, sendAgain } from "./row.ts";

const notCollected = (name: string): ReasonRow =>
  given(
    {
      from: "the machine-readable zone, printed text at the labels of a country's model",
      decisions: [9103],
      when:
        `The zone was read, but its ${name} was not, although its format carries it; or the model is known, cards of its ` +
        "generation always print it, and neither print nor zone nor barcode told it",
      next: `${sendAgain} of that side, sharp, whole and without glare`,
    },
    `A zone whose ${name} is filled with fillers`,
    fromPictures,
  );

const notRead = (what: string): ReasonRow =>
  given(
    {
      from: "printed text at the labels of a country's model",
      decisions: [9103],
      when: `The model is known, cards of its generation always print ${what}, and neither print nor zone nor barcode told it`,
      next: `${sendAgain} of that side, sharp and without glare over the text`,
    },
    `A card of a country with a model, with a finger on ${what}`,
    fromPictures,
  );

const printed = (what: string): ReasonRow =>
  notGiven(
    "this service",
    "printed text in the places of a model",
    "check",
    `${what} is confirmed of no card that has a model, so that its absence proves nothing`,
  );

const never = (what: string): ReasonRow =>
  notGiven("nobody", "printed text", "check", `no document that has a model prints ${what}`);

/** Fields that a document carries and that were not read. */
export const fieldReasons = {
  625: notCollected("surname"),
  626: notRead("the given names"),
  627: notCollected("birth date"),
  628: notGiven(
    "this service",
    "the printed date of issue",
    "check",
    "the generation of a card is told by it: without it no model is certain, and a person looks (647)",
  ),
  629: notCollected("expiry date"),
  630: notCollected("sex"),
  631: notCollected("document number"),
  632: notRead("a personal number"),
  633: notCollected("nationality"),
  634: printed("the home address"),
  644: notRead("the citizen identifier"),
  649: printed("the information on foreigners"),
  650: notRead("the process number"),
  651: printed("the occupation"),
  652: never("an employer"),
  653: printed("the type of a residence permit"),
  654: printed("the number of a licence"),
  655: printed("an additional name"),
  657: given(
    {
      from: "outline, faces and zone of a picture that was declared a passport",
      decisions: [9103],
      when: "A document is in the picture, but neither a portrait nor a machine-readable zone",
      next: "Ask for the passport opened at the page with the portrait",
    },
    "A closed passport",
    fromPictures,
  ),
  662: never("remarks that a check asks for"),
} as const satisfies Partial<Record<ReasonCode, ReasonRow>>;
