import { parseAamva } from "./aamva.ts";
import { payloadText } from "./payload-text.ts";

/** Layouts that a payload can be told by, without a country model. */
export type PayloadLayout = "aamva" | "arg.dni" | "cri.cedula";

/**
 * The layout whose structure the bytes have; undefined when they have none. A slanted PDF417 that the reader calls
 * valid carries other bytes in 9 % (19 of 211): none of those 19 passed these gates (docs/measurements.md).
 */
export const recognisePayload = (bytes: Uint8Array): PayloadLayout | undefined => {
  if (isAamva(bytes)) {
    return "aamva";
  }
  if (isArgentineDni(bytes)) {
    return "arg.dni";
  }
  return isCostaRicanCedula(bytes) ? "cri.cedula" : undefined;
};

/** A header, at least five elements, and no control characters but the standard's separators. */
const isAamva = (bytes: Uint8Array): boolean => {
  const licence = parseAamva(payloadText(bytes));
  if (licence === undefined || Object.keys(licence.elements).length < 5) {
    return false;
  }
  return bytes.every((byte) => byte >= 0x20 || [0x09, 0x0a, 0x0d, 0x1c, 0x1d, 0x1e].includes(byte));
};

/** Eight fields and more between `@`, two dates among them and a number of 7 or 8 digits. */
const isArgentineDni = (bytes: Uint8Array): boolean => {
  const fields = Buffer.from(bytes).toString("latin1").split("@");
  const dates = fields.filter((field) => /^\s*\d{2}\/\d{2}\/\d{4}\s*$/.test(field)).length;
  return fields.length >= 8 && dates >= 2 && fields.some((field) => /^\s*[MF]?\d{7,8}\s*$/.test(field));
};

/** Key of the published layout, laid over the bytes themselves: a round trip through text destroys it. */
const costaRicanKey = [
  0x27, 0x30, 0x04, 0xa0, 0x00, 0x0f, 0x93, 0x12, 0xa0, 0xd1, 0x33, 0xe0, 0x03, 0xd0, 0x00, 0xdf, 0x00,
];

const isCostaRicanCedula = (bytes: Uint8Array): boolean => {
  if (bytes.length < 108) {
    return false;
  }
  const plain = bytes.map((byte, i) => byte ^ costaRicanKey[i % costaRicanKey.length]!);
  const text = Buffer.from(plain).toString("latin1");
  return /^[1-9]\d{8}/.test(text) && /^[MF]\d{16}$/.test(text.slice(91, 108));
};
