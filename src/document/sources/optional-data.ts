import type { DocumentModel } from "../models/document-model.ts";
import type { MrzFields } from "../mrz/parse.ts";
import { type NumberName, readNumber } from "../numbers/number-rules.ts";

type Meaning = NonNullable<DocumentModel["mrz"]>["optional1"];

/**
 * The holder's own number in a zone's optional data, as the model says that they hold it; what keeps no rule of such a number
 * is none. Without a model the standard alone speaks: a passport may have one (ICAO Doc 9303-4, 4.2.2).
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
  return meaning === "number" ? byCountry(text, issuer, day) : undefined;
};

/** Numbers that the holders of these countries have. */
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
