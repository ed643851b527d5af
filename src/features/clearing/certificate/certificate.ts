import { type Static, Type } from "typebox";
import { certificateShape } from "#contract/clearing-certificate";
import { makeCheck } from "#contract/make-check";

/** A certificate with the address that its QR code holds. */
const certificate = Type.Object({
  content: certificateShape,
  /** With the token, without the key. */
  link: Type.String(),
  /** Version of the program that wrote it. */
  release: Type.String(),
});

export type Certificate = Static<typeof certificate>;

/** Reads a certificate that this program wrote. */
export const certificateFile = makeCheck(certificate);

/** A label and its value. */
export type Row = readonly [label: string, value: string];

export type Section = { readonly title: string; readonly note?: string; readonly rows: readonly Row[] };

/** The readable certificate, in Spanish: the page and the PDF show the same. */
export type Sheet = {
  readonly title: string;
  readonly statement: string;
  readonly sections: readonly Section[];
  readonly linkNote: string;
  /** What makes the verification reproducible; a clerk need not read it. */
  readonly annex: Section;
  readonly footer: string;
};
