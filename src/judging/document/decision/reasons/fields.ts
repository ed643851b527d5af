import type { ReasonCode } from "#contract/reason-code";
import { fromImages, given, notGiven, type ReasonRow, sendAgain } from "./row.ts";

const notCollected = (name: string): ReasonRow =>
  given(
    {
      from: "the MRZ, printed text at the labels of a country's model",
      decisions: [9103],
      when:
        `The MRZ was read, but its ${name} was not, although its format carries it; or the model is known, cards of its ` +
        "generation always print it, and neither print nor MRZ nor barcode has it",
      next: `${sendAgain} of that side, sharp, whole and without glare`,
    },
    `An MRZ with fillers in place of its ${name}`,
    fromImages,
  );

const notRead = (what: string): ReasonRow =>
  given(
    {
      from: "printed text at the labels of a country's model",
      decisions: [9103],
      when: `The model is known, cards of its generation always print ${what}, and neither print nor MRZ nor barcode has it`,
      next: `${sendAgain} of that side, sharp and without glare over the text`,
    },
    `A card of a country with a model, with a finger on ${what}`,
    fromImages,
  );

const printed = (what: string): ReasonRow =>
  notGiven(
    "this service",
    "printed text in the places of a model",
    "check",
    `${what} is confirmed for no card with a model: its absence proves nothing`,
  );

const never = (what: string): ReasonRow =>
  notGiven("none", "printed text", "check", `no document with a model prints ${what}`);

/** Reasons of fields that a document has and that were not read. */
export const fieldReasons = {
  625: notCollected("surname"),
  626: notRead("the given names"),
  627: notCollected("birth date"),
  628: notGiven(
    "this service",
    "the printed date of issue",
    "check",
    "it identifies the generation of a card: without it no model is certain, and the card goes to review (647)",
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
      from: "outline, faces and MRZ of an image that was declared a passport",
      decisions: [9103],
      when: "The image has a document, but neither a portrait nor an MRZ",
      next: "Ask for the passport opened at the page with the portrait",
    },
    "A closed passport",
    fromImages,
  ),
  662: never("remarks that a check requires"),
} as const satisfies Partial<Record<ReasonCode, ReasonRow>>;
