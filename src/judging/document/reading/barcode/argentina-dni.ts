import { isCalendarDate } from "#contract/calendar-date";
import { argentinaCuil, argentinaDni } from "../../values/numbers/argentina.ts";
import { isName, type Payload, presentFields, sexOf } from "./payload.ts";

/** DD/MM/YYYY as YYYY-MM-DD. */
const dateOf = (text: string | undefined): string | undefined => {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text ?? "") ?? [];
  const date = `${year}-${month}-${day}`;
  return isCalendarDate(date) ? date : undefined;
};

const numberOf = (text: string | undefined): string | undefined => {
  const { validity, canonical } = argentinaDni.read(text ?? "");
  return validity === "invalid" ? undefined : canonical;
};

const isProcedure = (text: string | undefined): text is string => /^\d{11}$/.test(text ?? "");

/**
 * Card of 2009 to 2012. It begins with `@`: number, copy, -, surname, names, nationality, birth, sex, issue,
 * trámite, office, expiry.
 */
const parseFirst = (parts: readonly string[]): Payload | undefined => {
  const [
    ,
    number,
    copy,
    ,
    lastName = "",
    firstName = "",
    nationality,
    birth,
    sex,
    issue,
    procedure,
    ,
    expiry,
  ] = parts;
  const documentNumber = numberOf(number);
  const dates = { dateOfBirth: dateOf(birth), dateOfIssue: dateOf(issue), dateOfExpiry: dateOf(expiry) };
  const isWhole = Object.values(dates).every((date) => date !== undefined) && isProcedure(procedure);
  if (documentNumber === undefined || !isWhole || !isName(lastName) || !isName(firstName)) {
    return undefined;
  }
  return {
    layout: "arg.dni.1",
    fields: presentFields({
      ...dates,
      documentNumber,
      lastName,
      firstName,
      copy,
      nationality,
      sex: sexOf(sex),
      issuer: "ARG",
      procedureNumber: procedure,
    }),
    unsure: [],
  };
};

/**
 * The last element of newer cards holds the first two digits and the last digit of the CUIL; the DNI is
 * between them.
 */
const cuilOf = (ends: string | undefined, documentNumber: string): string | undefined => {
  const [, prefix, digit] = /^(\d{2})(\d)$/.exec(ends ?? "") ?? [];
  const { validity, canonical } = argentinaCuil.read(`${prefix}${documentNumber.padStart(8, "0")}${digit}`);
  return validity === "valid" ? canonical : undefined;
};

/** Card from 2012 on: trámite, surname, names, sex, number, copy, birth, issue, ends of the CUIL. */
const parseSecond = (parts: readonly string[]): Payload | undefined => {
  const [procedure, lastName = "", firstName = "", sexText, number, copy, birth, issue, ends] = parts;
  const documentNumber = numberOf(number);
  const [sex, dateOfBirth, dateOfIssue] = [sexOf(sexText), dateOf(birth), dateOf(issue)];
  const isWhole = sex !== undefined && dateOfBirth !== undefined && dateOfIssue !== undefined;
  if (documentNumber === undefined || !isWhole || !isProcedure(procedure)) {
    return undefined;
  }
  if (!isName(lastName) || !isName(firstName)) {
    return undefined;
  }
  return {
    layout: "arg.dni.2",
    fields: presentFields({
      documentNumber,
      lastName,
      firstName,
      sex,
      dateOfBirth,
      dateOfIssue,
      copy,
      issuer: "ARG",
      procedureNumber: procedure,
      taxNumber: cuilOf(ends, documentNumber),
    }),
    unsure: [],
  };
};

/**
 * Parses the PDF417 of Argentina's DNI: ISO-8859-1, parts separated by `@`. Undefined unless number, names,
 * trámite and every date are valid.
 */
export const parseArgentineDni = (bytes: Uint8Array): Payload | undefined => {
  const text = Buffer.from(bytes).toString("latin1");
  const parts = text.split("@").map((part) => part.trim().replaceAll(/\s+/g, " "));
  return text.startsWith("@") ? parseFirst(parts) : parseSecond(parts);
};
