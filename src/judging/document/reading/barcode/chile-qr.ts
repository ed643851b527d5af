import { chileRun } from "../../values/numbers/chile.ts";
import { checkDigit } from "../mrz/check-digit.ts";
import { expiryOf } from "../mrz/mrz-date.ts";
import { joinParts, type Payload, presentFields } from "./payload.ts";
import { payloadText } from "./payload-text.ts";

/** The registry's address, with any of its host names. It is parsed, never requested. */
const address = /^https?:\/\/(?:[a-z0-9-]+\.)*registrocivil\.cl\/[^?#\s]*\?([^#\s]+)$/i;

/** Percent-decodes byte by byte: the registry encodes ISO-8859-1, which decodeURIComponent rejects. */
const decode = (text: string): string => {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const hex = /^%([0-9a-f]{2})/i.exec(text.slice(i, i + 3))?.[1];
    bytes.push(hex === undefined ? text.charCodeAt(i) & 0xff : Number.parseInt(hex, 16));
    i += hex === undefined ? 0 : 2;
  }
  return payloadText(Uint8Array.from(bytes));
};

const parametersOf = (query: string): ReadonlyMap<string, string> =>
  new Map(
    query.split("&").map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return [name.toLowerCase(), decode(value.join("=").replaceAll("+", " "))] as const;
    }),
  );

/**
 * Number, birth and expiry from the 24 characters of the chip's access key; undefined when a check digit is
 * wrong.
 */
const keyOf = (text: string) => {
  const match = /^([A-Z0-9<]{9})(\d)(\d{6})(\d)(\d{6})(\d)$/.exec(text);
  const [, number = "", d1, birth = "", d2, expiry = "", d3] = match ?? [];
  const holds = checkDigit(number) === d1 && checkDigit(birth) === d2 && checkDigit(expiry) === d3;
  return match !== null && holds ? { birth, expiry } : undefined;
};

/** Given names, first surname and second surname are separated by two blanks. */
const namesOf = (text: string) => {
  const parts = text.trim().split(/\s{2,}/);
  const [firstName = "", ...surnames] = parts;
  return parts.length === 3
    ? { firstName: joinParts(firstName), lastName: joinParts(...surnames) }
    : { fullName: joinParts(text) };
};

/**
 * Parses the QR code of Chile's cédula: an address of the civil registry with RUN, serial and, on newer
 * cards, the chip's access key and the name.
 */
export const parseChileQr = (bytes: Uint8Array): Payload | undefined => {
  const query = address.exec(Buffer.from(bytes).toString("latin1").trim())?.[1];
  const parameters = parametersOf(query ?? "");
  const run = chileRun.read(parameters.get("run") ?? "");
  const serial = parameters.get("serial")?.replaceAll(".", "") ?? "";
  if (query === undefined || run.validity !== "valid" || !/^[A-Z]?\d{8,9}$/.test(serial)) {
    return undefined;
  }
  const accessKey = parameters.get("mrz") ?? "";
  const key = keyOf(accessKey);
  const name = parameters.get("name");
  return {
    layout: "chl.qr",
    fields: presentFields({
      documentNumber: serial,
      personalNumber: run.canonical,
      ...(name === undefined ? {} : namesOf(name)),
      ...(key === undefined
        ? {}
        : { accessKey, shortDateOfBirth: key.birth, dateOfExpiry: expiryOf(key.expiry).date }),
      issuer: "CHL",
    }),
    unsure: [],
  };
};
