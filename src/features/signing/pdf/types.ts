import type { Hash } from "node:crypto";
import type { HashName, ValidationData, ValidationMaterial } from "#trust/revocation/ports";
import type { Repair } from "./repairs.ts";

/** What a file may cost before it is refused with `pdf_too_large`. */
export type PdfLimits = {
  readonly bytesMax: number;
  /** Entries of the cross-reference, over all its sections. */
  readonly objectsMax: number;
  /** Sections of the cross-reference: one for each revision, at least. */
  readonly sectionsMax: number;
  readonly pagesMax: number;
  /** Bytes that all object streams, the cross-reference and the validation data may inflate to. */
  readonly inflatedBytesMax: number;
  /** Steps of reading (steps.ts). A file that takes more is refused with `pdf_unreadable`. */
  readonly stepsMax: number;
};

/** A field lock or a FieldMDP transform (ISO 32000-2, 12.7.5.5 and 12.8.2.4). */
export type FieldLock = {
  readonly action: "All" | "Include" | "Exclude";
  /** Fully qualified names; ignored with `All`. */
  readonly fields: readonly string[];
};

/** The value of a signed field, as stored. Nothing is verified. */
export type StoredSignature = {
  readonly subFilter: string | undefined;
  /** Type of the dictionary: `Sig`, `DocTimeStamp`, or absent. */
  readonly type: string | undefined;
  /** Decoded, with its padding. Its SHA-1 in upper-case hex is the key of the VRI entry. */
  readonly contents: Uint8Array;
  readonly byteRange: readonly number[];
  /** The text of `M`, without a check. */
  readonly at: string | undefined;
  readonly reason: string | undefined;
  readonly location: string | undefined;
  readonly name: string | undefined;
  readonly contact: string | undefined;
  /** The DocMDP level of a certification signature. */
  readonly certification: 1 | 2 | 3 | undefined;
  readonly locks: readonly FieldLock[];
};

/** A signature field, signed or empty. */
export type SignatureField = {
  /** Fully qualified: names of parents joined with dots. */
  readonly name: string;
  readonly isSigned: boolean;
  /** The lock that an empty field asks of its signature. */
  readonly lock: FieldLock | undefined;
  readonly signature: StoredSignature | undefined;
};

/** Draws the signature on a page, with its image left and its lines right. */
export type VisibleSignature = {
  /** From 1. */
  readonly pageNumber: number;
  /** x1, y1, x2, y2 in points from the lower left corner of the page as displayed, after its rotation. */
  readonly position: readonly [number, number, number, number];
  readonly image?: { readonly bytes: Uint8Array; readonly format: "png" | "jpeg" };
  /** Lines of text, fitted to the height and the width. */
  readonly lines: readonly string[];
  /** TrueType; a subset with the used characters is embedded. */
  readonly font: Uint8Array;
};

/** A file inside the PDF (ISO 32000-2, 7.11.4 and 14.13). */
export type Attachment = {
  readonly name: string;
  readonly mediaType: string;
  readonly description: string;
  readonly bytes: Uint8Array;
  /** AFRelationship, such as `Data` or `Supplement`. */
  readonly relationship: string;
};

/**
 * What a signature says and shows. Texts are caller data: control characters are removed, the length is
 * bounded.
 */
export type SignatureRevision = {
  readonly subFilter: "ETSI.CAdES.detached";
  readonly at: Date;
  readonly name?: string;
  readonly reason?: string;
  readonly location?: string;
  readonly contact?: string;
  /** Further entries of the signature dictionary, under one private key `Idem`. */
  readonly statement?: Readonly<Record<string, string>>;
  /** Bytes kept for the CMS. */
  readonly reservedBytes: number;
  readonly visible?: VisibleSignature;
  readonly certify?: 1 | 2 | 3;
  readonly lock?: FieldLock;
  /** An existing empty signature field to fill; absent: a new field. */
  readonly fieldName?: string;
  readonly attachments?: readonly Attachment[];
};

/** A document time-stamp, with validation data in the same revision. */
export type TimestampRevision = {
  readonly reservedBytes: number;
  readonly validation?: ValidationMaterial;
};

/** A revision whose `Contents` wait for their value. */
export type Reserved = {
  readonly fieldName: string;
  /** Over the whole file but `Contents`. The original is hashed once for each hash function. */
  readonly digest: (hash: HashName) => Uint8Array;
  /** Writes the CMS and returns the padded contents. Throws ContentsTooSmall. */
  readonly place: (cms: Uint8Array) => Uint8Array;
};

/**
 * An open PDF. Every append adds one revision after the bytes before it, which never change. Made by openPdf,
 * open-pdf.ts.
 */
export type PdfFile = {
  /** The bytes that stay: as sent, or repaired. */
  readonly original: Uint8Array;
  /** Whether they are other bytes than those that were sent: repaired, or without those before the header. */
  readonly repaired: boolean;
  /** Why the file was repaired; empty where nothing had to be guessed. */
  readonly repairs: readonly Repair[];
  /**
   * The state of a hash over the original, which the caller may continue. The original is hashed once for all
   * uses.
   */
  readonly hashOriginal: (hash: HashName) => Hash;
  readonly pageCount: number;
  readonly isEncrypted: boolean;
  /** Signature fields in the order of the form, those of appended revisions included. */
  readonly fields: () => readonly SignatureField[];
  /** Level of the certification signature (ISO 32000-2, 12.8.2.2). */
  readonly certification: 1 | 2 | 3 | undefined;
  /** The validation data that the file holds. */
  readonly validation: () => ValidationData;
  /** Appends a signature. Throws the failures of positions, pages, images and of earlier signatures. */
  readonly appendSignature: (revision: SignatureRevision) => Reserved;
  readonly appendTimestamp: (revision: TimestampRevision) => Reserved;
  /** Appends validation data alone (B-LT). */
  readonly appendValidation: (material: ValidationMaterial) => void;
  /** The appended revisions in order. The signed file is `original` and then these. */
  readonly revisions: () => readonly Uint8Array[];
};

/**
 * The reserved contents are shorter than the CMS. The caller opens the file again and reserves `neededBytes`.
 */
export class ContentsTooSmall extends Error {
  override readonly name = "ContentsTooSmall";
  readonly neededBytes: number;
  readonly reservedBytes: number;

  constructor(neededBytes: number, reservedBytes: number) {
    super(`${neededBytes} bytes do not fit in ${reservedBytes} reserved bytes`);
    this.neededBytes = neededBytes;
    this.reservedBytes = reservedBytes;
  }
}
