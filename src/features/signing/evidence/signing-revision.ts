import { createHash } from "node:crypto";
import { type SignedInput, type SigningFacts, statementName, statementOf } from "./statement.ts";

/** Where a signature is seen: points from the lower left corner of the page as displayed. */
export type Position = readonly [x1: number, y1: number, x2: number, y2: number];

/** Image of a handwritten signature. */
export type SignatureImage = { readonly bytes: Uint8Array; readonly format: "png" | "jpeg" };

/** A visible signature as the caller asks for it. */
export type WantedAppearance = {
  /** Counted from 1. Absent: the last page. */
  readonly pageNumber?: number;
  /** Absent: {@link standardPosition}. */
  readonly position?: Position;
  /** Absent: the lines of text alone. */
  readonly image?: SignatureImage;
};

/** What to sign with. Plain values: it crosses to a thread. */
export type SigningInstruction = {
  readonly facts: SigningFacts;
  /** Absent: an invisible signature. */
  readonly appearance?: WantedAppearance;
};

/**
 * The position of a signature that has none: 200 × 60 points near the lower left corner, on any page from A6
 * on.
 */
export const standardPosition: Position = [36, 36, 236, 96];

/** Facts of the opened file that the revision needs. */
export type OpenedDocument = SignedInput & { readonly pageCount: number };

const sha256Of = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

/**
 * `Reason` of the signature dictionary (ISO 32000-2, 12.8.1): fields with semicolons, for programs and
 * people. The hash of the statement binds the attachment to the dictionary.
 */
const reasonOf = ({ authentication }: SigningFacts, statementSha256: string): string =>
  `Autenticacion facial; tx=${authentication.transaction}; hash=${authentication.hash}; statement=sha256:${statementSha256}`;

const locationOf = ({ city, country, position }: SigningFacts["place"]): string =>
  [city, country, position].filter((part) => part !== undefined).join(", ");

/** Entries of the signature dictionary for a reader without the attachment. */
const entriesOf = ({ transaction, at, contact, place, authentication }: SigningFacts, sha256: string) => ({
  Transaction: transaction,
  AuthenticationTransaction: authentication.transaction,
  AuthenticationHash: authentication.hash,
  AuthenticationTime: authentication.at,
  SigningTime: at,
  Contact: contact,
  City: place.city,
  Country: place.country,
  ...(place.position !== undefined && { Position: place.position }),
  ...(place.ipAddress !== undefined && { IpAddress: place.ipAddress }),
  DocumentSha256: sha256,
});

/** The lines of a visible signature: who, when, and the transaction. They are the same in every language. */
const linesOf = ({ contact, at, transaction }: SigningFacts): readonly string[] => [
  contact,
  `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`,
  transaction,
];

const appearanceOf = ({ facts, appearance }: SigningInstruction, pageCount: number, font: Uint8Array) => {
  if (appearance === undefined) return {};
  const { pageNumber = pageCount, position = standardPosition, image } = appearance;
  return { visible: { pageNumber, position, ...(image && { image }), lines: linesOf(facts), font } };
};

/**
 * What the revision of a signature holds beside the signature: reason, place, contact, entries of the
 * dictionary, the appearance, and the statement as an associated file (ISO 32000-2, 14.13).
 */
export const signingRevision = (
  instruction: SigningInstruction,
  { pageCount, ...document }: OpenedDocument,
  font: Uint8Array,
) => {
  const { facts } = instruction;
  const statement = statementOf(facts, document);
  const statementSha256 = sha256Of(statement);
  return {
    revision: {
      at: new Date(facts.at),
      reason: reasonOf(facts, statementSha256),
      location: locationOf(facts.place),
      contact: facts.contact,
      statement: entriesOf(facts, document.sent.sha256),
      ...appearanceOf(instruction, pageCount, font),
      attachments: [
        {
          name: statementName,
          mediaType: "application/json",
          description: "Signed statement of the authentication",
          bytes: new Uint8Array(Buffer.from(statement, "utf8")),
          relationship: "Data" as const,
        },
      ],
    },
    statementSha256,
  };
};
