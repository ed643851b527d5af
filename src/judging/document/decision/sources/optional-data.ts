import { withoutFillers } from "../../reading/mrz/filler.ts";
import type { MrzFields } from "../../reading/mrz/parse.ts";
import { type NumberName, readNumber } from "../../values/numbers/number-rules.ts";
import type { DocumentModel } from "../models/document-model.ts";

type Meaning = NonNullable<DocumentModel["mrz"]>["optional1"];

/**
 * The holder's own number in the optional data of an MRZ, where the model states it. A text that breaks the
 * rule of such a number is not taken. Without a model the standard alone applies: a passport may have one
 * (ICAO Doc 9303-4, 4.2.2).
 */
export const holdersNumberIn = (
  { format, issuer, optional1, optional2 }: MrzFields,
  model: DocumentModel | undefined,
  day: string,
): string | undefined => {
  const [first, second] =
    model?.mrz === undefined
      ? [format === "TD3" ? ("number" as const) : ("unknown" as const), "unknown" as const]
      : [model.mrz.optional1, model.mrz.optional2];
  return numberIn(optional1, first, issuer, day) ?? numberIn(optional2, second, issuer, day);
};

const numberIn = (text: string, meaning: Meaning, issuer: string, day: string): string | undefined => {
  if (meaning === "runDv") {
    const { validity, canonical } = readNumber("chl.run", text, day);
    return validity === "valid" ? canonical : undefined;
  }
  return meaning === "number" ? byCountry(withoutFillers(text), issuer, day) : undefined;
};

/** The holder's national number, by issuing country. */
const holdersNumbers: Readonly<Record<string, NumberName>> = {
  ARG: "arg.dni",
  CHL: "chl.run",
  CRI: "cri.cedula",
  ECU: "ecu.nui",
  GTM: "gtm.cui",
  HND: "hnd.dni",
  PAN: "pan.cedula",
  PER: "per.dni",
};

const byCountry = (text: string, issuer: string, day: string): string | undefined => {
  const rule = Object.hasOwn(holdersNumbers, issuer) ? holdersNumbers[issuer] : undefined;
  if (rule === undefined) {
    return text === "" ? undefined : text;
  }
  const { validity, canonical } = readNumber(rule, text, day);
  return validity === "invalid" ? undefined : canonical;
};
