import type { ReasonCode } from "#contract/reason-code";
import { ask, fromPictures, given, notGiven, type ReasonRow } from "./row.ts";

const youngerThan = (years: number): ReasonRow =>
  given(
    {
      from: "the birth date of the zone or the barcode",
      decisions: [9102],
      when: `The holder is under ${years}, where the operator's policy asks for that age; by default none is asked`,
      next: "The person is too young for you",
    },
    `A policy with \`ageYearsMin\` ${years}, and the document of somebody younger`,
    fromPictures,
  );

/** What the document says, against what was declared and against itself. */
export const contentReasons = {
  104: notGiven(
    "this service",
    "a name of the request",
    "input",
    "no request of the interface carries a name",
  ),
  206: notGiven(
    "this service",
    "the kind of the document",
    "check",
    "a kind that is not served is told as 602 or 510",
  ),
  207: notGiven(
    "this service",
    "the day of expiry",
    "check",
    "a document that has expired is told as 620 or 511",
  ),
  507: given(
    {
      from: "zone, barcode, print and dates",
      decisions: [9121, 9102],
      when:
        "Check digits are wrong in a zone that is clearly read or in a printed number, dates are out of order or further apart " +
        "than the document's model knows, or zone, barcode and print say different things where it compares them. One of these " +
        "is 9121; two of different sources, or two sources against a third in what the model is sure of, 9102",
      next: `9121: ${ask.toLowerCase()}. 9102: do not accept the document`,
    },
    "A passport with a changed digit in the lines at the bottom",
    fromPictures,
  ),
  508: given(
    {
      from: "the issuer in the zone, printed words",
      decisions: [9121, 9102],
      when:
        "The document says of itself that it is a specimen: issuer UTO, or a line MUESTRA, SPECIMEN, ESPÉCIMEN, or one MODELO, " +
        "SAMPLE that no field of it holds. Beside a sign of fraud from another source 9102",
      next: `9121: ${ask.toLowerCase()}. 9102: do not accept the document`,
    },
    "A specimen of Utopia, as ICAO Doc 9303 prints it",
    fromPictures,
  ),
  510: given(
    {
      from: "the request and the policy",
      decisions: [9102],
      when: "The operator's policy does not serve the declared country; by default every country is served",
      next: "Ask for a document that you accept",
    },
    "A policy whose `countries` lack the declared one",
    fromPictures,
  ),
  511: given(
    {
      from: "the day of expiry, in a zone that holds or by two sources",
      decisions: [9102],
      when: "The day of expiry is over everywhere on Earth, by a zone with right check digits or by two sources",
      next: "Ask for a valid document",
    },
    "An expired passport",
    fromPictures,
  ),
  541: notGiven(
    "this service",
    "a name of the request",
    "input",
    "no request of the interface carries a name",
  ),
  542: notGiven(
    "a provider",
    "a Brazilian taxpayer number",
    "provider",
    "the number's status is known to the tax office alone, and no model reads it",
  ),
  602: given(
    {
      from: "kind and issuer in the zone, against the request",
      decisions: [9103, 9121],
      when:
        "9103: the zone tells another kind or another issuing country than `idType` and `country`. 9121: nothing tells the " +
        "kind or the country for sure, and everything else speaks for approval",
      next: `9103: check what you declared; ask for the document that you declared. 9121: ${ask.toLowerCase()}`,
    },
    "A passport that is declared as a visa",
    fromPictures,
  ),
  620: given(
    {
      from: "the day of expiry, from one weaker source",
      decisions: [9103, 9121],
      when:
        "9103: expired by one weaker source alone, such as a barcode, or of a generation that ended as a whole. 9121: no day of " +
        "expiry was read, the document does not say that it never expires, and everything else speaks for approval",
      next: `9103: ask for a valid document, or for a sharper picture of this one. 9121: ${ask.toLowerCase()}`,
    },
    "An expired North American licence",
    fromPictures,
  ),
  530: youngerThan(13),
  531: youngerThan(14),
  532: youngerThan(16),
  533: youngerThan(18),
  534: youngerThan(20),
  535: youngerThan(21),
  536: youngerThan(25),
} as const satisfies Partial<Record<ReasonCode, ReasonRow>>;
