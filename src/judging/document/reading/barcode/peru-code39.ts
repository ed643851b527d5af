import type { Payload } from "./payload.ts";

/**
 * Parses the Code 39 at the edge of Peru's DNI: eight digits and nothing else. Any barcode can hold eight
 * digits, so the payload names no issuer.
 */
export const parsePeruCode39 = (bytes: Uint8Array): Payload | undefined => {
  const text = Buffer.from(bytes).toString("latin1");
  return /^\d{8}$/.test(text)
    ? { layout: "per.code39", fields: { documentNumber: text }, unsure: [] }
    : undefined;
};
