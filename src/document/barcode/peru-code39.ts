import type { Payload } from "./payload.ts";

/** Code 39 at the edge of Peru's DNI: its eight digits and nothing else. Any symbol may hold these, so it names no issuer. */
export const parsePeruCode39 = (bytes: Uint8Array): Payload | undefined => {
  const text = Buffer.from(bytes).toString("latin1");
  return /^\d{8}$/.test(text)
    ? { layout: "per.code39", fields: { documentNumber: text }, unsure: [] }
    : undefined;
};
