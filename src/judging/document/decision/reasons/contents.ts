import type { ReasonCode } from "#contract/reason-code";
import { ask, fromImages, given, notGiven, type ReasonRow } from "./row.ts";

const youngerThan = (years: number): ReasonRow =>
  given(
    {
      from: "the birth date of the MRZ or the barcode",
      decisions: [9102],
      when: `The holder is under ${years}, and the operator's policy requires that age; by default none is required`,
      next: "The person is too young for you",
    },
    `A policy with \`ageYearsMin\` ${years}, and the document of somebody younger`,
    fromImages,
  );

/** Reasons of the document's data, against the declaration and against itself. */
export const contentReasons = {
  104: notGiven(
    "this service",
    "a name of the request",
    "input",
    "no request of the interface carries a name",
  ),
  206: given(
    {
      from: "the headings of a card without MRZ, barcode and model",
      decisions: [9103, 9121],
      when:
        "Its headings name a kind that no request can declare: a health, student, membership or bank card. Where no attempts " +
        "are left, 9121",
      next: "Ask for an identity card, passport or licence",
    },
    "A drawn health insurance card",
    fromImages,
  ),
  207: notGiven(
    "this service",
    "the day of expiry",
    "check",
    "an expired document is reported as 620 or 511",
  ),
  507: given(
    {
      from: "MRZ, barcode, print and dates",
      decisions: [9121, 9102],
      when:
        "Check digits are wrong in an MRZ that was read clearly or in a printed number, its issuer is unknown to ICAO, dates are out of order or further " +
        "apart than the document's model allows, or MRZ, barcode and print contradict each other where the model compares " +
        "them, or front and back have different names, numbers, dates, sexes or countries, with a model or without. One of these is 9121; two of different sources, or two sources against a third in a confirmed fact of the " +
        "model, are 9102",
      next: `9121: ${ask.toLowerCase()}. 9102: do not accept the document`,
    },
    "A passport with a changed digit in the lines at the bottom",
    fromImages,
  ),
  508: given(
    {
      from: "the issuer, names and numbers, printed words, marks at any angle",
      decisions: [9121, 9102],
      when:
        "The document states that it is a specimen: issuer UTO, a line or a mark SPECIMEN, ESPÉCIMEN, MUESTRA, MUSTER, VOID, " +
        "CANCELLED, ANULADO and the like, also a part of such a mark, or a line MODELO, SAMPLE that is in no field; an invented name " +
        "or number; or a published specimen of the shipped list or of `specimens` of the policy. With a sign of fraud from " +
        "another source 9102",
      next: `9121: ${ask.toLowerCase()}. 9102: do not accept the document`,
    },
    "A specimen of Utopia, as ICAO Doc 9303 prints it",
    fromImages,
  ),
  510: given(
    {
      from: "the request and the policy",
      decisions: [9102],
      when: "The operator's policy does not serve the declared country; by default every country is served",
      next: "Ask for a document that you accept",
    },
    "A policy whose `countries` lack the declared one",
    fromImages,
  ),
  511: given(
    {
      from: "the day of expiry, in an accepted MRZ or in two sources",
      decisions: [9102],
      when: "The day of expiry is over everywhere on Earth, by an MRZ with correct check digits or by two sources",
      next: "Ask for a valid document",
    },
    "An expired passport",
    fromImages,
  ),
  541: notGiven(
    "this service",
    "a name of the request",
    "input",
    "no request of the interface carries a name",
  ),
  542: given(
    {
      from: "the check digits of a printed Brazilian taxpayer number (CPF)",
      decisions: [9121],
      when:
        "The number was read clearly and its check digits are wrong. Whether a number with right digits is in use is known to " +
        "the tax office alone (a provider)",
      next: ask,
    },
    "A drawn Brazilian licence whose CPF has a changed digit",
    fromImages,
  ),
  602: given(
    {
      from: "type and issuer in the MRZ, against the request",
      decisions: [9103, 9121],
      when:
        "9103: the MRZ has another type or another issuing country than `idType` and `country`. 9121: no source has the " +
        "type or the country with certainty, and everything else allows approval",
      next: `9103: check your declaration; ask for the declared document. 9121: ${ask.toLowerCase()}`,
    },
    "A passport that is declared as a visa",
    fromImages,
  ),
  620: given(
    {
      from: "the day of expiry, from one weaker source",
      decisions: [9103, 9121],
      when:
        "9103: expired by one weaker source alone, such as a barcode, or of a generation that ended as a whole. 9121: no day of " +
        "expiry was read, the document does not state that it never expires, and everything else allows approval",
      next: `9103: ask for a valid document, or for a sharper image of this one. 9121: ${ask.toLowerCase()}`,
    },
    "An expired North American licence",
    fromImages,
  ),
  530: youngerThan(13),
  531: youngerThan(14),
  532: youngerThan(16),
  533: youngerThan(18),
  534: youngerThan(20),
  535: youngerThan(21),
  536: youngerThan(25),
} as const satisfies Partial<Record<ReasonCode, ReasonRow>>;
