import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import type { DeclaredType } from "../../finding.ts";

/** The session API's names of kinds of documents. */
export const veriffTypes = {
  PASSPORT: "PASSPORT",
  DRIVING_LICENSE: "DRIVERS_LICENSE",
  ID_CARD: "ID_CARD",
  RESIDENCE_PERMIT: "RESIDENCE_PERMIT",
  VISA: "VISA",
} as const satisfies Readonly<Record<DeclaredType, string>>;

const idShape = Type.String({ minLength: 1, maxLength: 100, pattern: "^[A-Za-z0-9-]+$" });
const text = Type.Optional(Type.Union([Type.String({ maxLength: 2_000 }), Type.Null()]));
const code = Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 999_999 }), Type.Null()]));

/** The answer to a new session. Fields that come later are let be, here and below. */
const openedSession = Type.Object({ verification: Type.Object({ id: idShape }) });

/** The answer to the question for a decision; `verification` is null until there is one. */
const foundDecision = Type.Object({
  verification: Type.Union([
    Type.Null(),
    Type.Object({
      code: Type.Integer(),
      reason: text,
      reasonCode: code,
      person: Type.Optional(
        Type.Union([
          Type.Null(),
          Type.Object({
            firstName: text,
            lastName: text,
            idNumber: text,
            gender: text,
            dateOfBirth: text,
            yearOfBirth: text,
            nationality: text,
            placeOfBirth: text,
          }),
        ]),
      ),
      document: Type.Optional(
        Type.Union([
          Type.Null(),
          Type.Object({
            type: text,
            number: text,
            country: text,
            validFrom: text,
            validUntil: text,
            placeOfIssue: text,
            issuedBy: text,
          }),
        ]),
      ),
    }),
  ]),
});

export type FoundDecision = NonNullable<Static<typeof foundDecision>["verification"]>;

const checks = { opened: Compile(openedSession), found: Compile(foundDecision) };

/** The id of a session that was opened; undefined for an answer of another shape. */
export const readOpened = (body: unknown): string | undefined =>
  checks.opened.Check(body) ? body.verification.id : undefined;

/** The decision, null while there is none, undefined for an answer of another shape. */
export const readFound = (body: unknown): FoundDecision | null | undefined =>
  checks.found.Check(body) ? body.verification : undefined;

/** The number of an error (1001 … 2104) where the answer has one. */
export const readErrorCode = (body: unknown): string | undefined => {
  const found = typeof body === "object" && body !== null && "code" in body ? String(body.code) : "";
  return /^\d{1,6}$/.test(found) ? found : undefined;
};
