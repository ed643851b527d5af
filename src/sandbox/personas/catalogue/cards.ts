import type { ReasonCode } from "#contract/reason-code";
import type { Drawing, Persona } from "../persona.ts";
import { type Declared, validated } from "./documents.ts";

type CardSide = Extract<Drawing, { readonly kind: "card" }>;

const front = (name: CardSide["name"]): CardSide => ({ kind: "card", name, side: "front" });
const back = (name: CardSide["name"]): CardSide => ({ kind: "card", name, side: "back" });

/** A card whose two sides the engines judge. */
const card = (
  name: string,
  story: string,
  [shown, behind]: readonly [Drawing, Drawing],
  reasons: readonly ReasonCode[],
  declared: Declared,
): Persona => {
  const persona = validated({
    name: `card-${name}`,
    story,
    drawing: shown,
    status: "Resubmission",
    reasons,
    declared,
  });
  const [start, ...others] = persona.calls;
  const images = { ...persona.images, back: { drawing: behind } };
  const sent = { documentFrontRawImage: "front", documentBackRawImage: "back" };
  return {
    ...persona,
    images,
    calls: start === undefined ? others : [{ ...start, images: sent }, ...others],
  };
};

const cardOf = (country: string): Declared => ({ country, idType: "ID_CARD" });
const sidesOf = (name: CardSide["name"]) => [front(name), back(name)] as const;

/** Personas of cards: what both sides show together. */
export const cardPersonas: readonly Persona[] = [
  card(
    "two-backs",
    "The backs of two cards, and no front.",
    [back("an Ecuadorian card"), back("a Honduran card")],
    [608],
    cardOf("ECU"),
  ),
  card(
    "no-number",
    "The number of a Honduran card is missing.",
    sidesOf("a Honduran card without its number"),
    [631, 644],
    cardOf("HND"),
  ),
  card(
    "no-process-number",
    "The process number of an Argentine card is missing.",
    sidesOf("an Argentine card without its process number"),
    [650],
    cardOf("ARG"),
  ),
  card(
    "two-countries",
    "The front of a Chilean card and the back of an Ecuadorian one.",
    sidesOf("a Chilean front with an Ecuadorian back"),
    [642],
    cardOf("CHL"),
  ),
  card("expired-licence", "A licence of California that has expired.", sidesOf("an expired licence"), [620], {
    country: "USA",
    idType: "DRIVING_LICENSE",
  }),
];
