import { type DocumentCase, type Finding, type Question, stages } from "../finding.ts";
import { askAge } from "./age.ts";
import { askAttacks } from "./attacks.ts";
import { askCheckDigits } from "./check-digits.ts";
import { askCollected } from "./collected.ts";
import { askConfirmed } from "./confirmed.ts";
import { askDataRead } from "./data-read.ts";
import { askDatesInOrder } from "./dates-in-order.ts";
import { askExpiry } from "./expiry.ts";
import { askHistory } from "./history.ts";
import { askOutside } from "./outside.ts";
import { askPictures } from "./picture.ts";
import { askPortrait } from "./portrait.ts";
import { askPrintedFields } from "./printed-fields.ts";
import { askPrintedNumber } from "./printed-number.ts";
import { askReference } from "./reference.ts";
import { askSides } from "./sides.ts";
import { askSourcesAgree } from "./sources-agree.ts";
import { askSpecimen } from "./specimen.ts";
import { askType } from "./type.ts";
import { askValidity } from "./validity.ts";
import { askValuesFit } from "./values-fit.ts";

/** What is known of a document beyond its pictures. */
const metQuestions: readonly Question[] = [askReference, askHistory, askOutside];

/** Within a stage the order counts: the first that holds names the reason. */
const questions: readonly Question[] = [
  askSides,
  askPictures,
  askDataRead,
  askCollected,
  askPrintedFields,
  askType,
  askConfirmed,
  askExpiry,
  askAge,
  askCheckDigits,
  askSourcesAgree,
  askPrintedNumber,
  askDatesInOrder,
  askValidity,
  askValuesFit,
  askSpecimen,
  askPortrait,
  ...metQuestions,
];

/** Every finding about a document, in the order of the stages. What it says against itself is weighed with its traces. */
export const findAll = (document: DocumentCase): readonly Finding[] => {
  const found = questions.flatMap((question) => question(document));
  return [...found, ...askAttacks(document, found)].sort(
    (a, b) => stages.indexOf(a.stage) - stages.indexOf(b.stage),
  );
};

/** The findings that rest on what the operator knows and others say, whoever judged the pictures. */
export const findMet = (document: DocumentCase): readonly Finding[] =>
  metQuestions.flatMap((question) => question(document));
