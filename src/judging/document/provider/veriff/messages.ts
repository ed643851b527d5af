import { type Static, Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import type { DeclaredType } from "../../decision/finding.ts";

/** Document types of the session API. */
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

/** The answer to a new session. Unknown fields are ignored, here and below. */
const openedSession = Type.Object({ verification: Type.Object({ id: idShape }) });

/** The answer to a decision query. `verification` is null until there is a decision. */
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

const checks = { opened: makeCheck(openedSession), found: makeCheck(foundDecision) };

/** The id of the new session. Undefined for an answer of another shape. */
export const readOpened = (body: unknown): string | undefined =>
  checks.opened.Check(body) ? body.verification.id : undefined;

/** The decision. Null while there is none, undefined for an answer of another shape. */
export const readFound = (body: unknown): FoundDecision | null | undefined =>
  checks.found.Check(body) ? body.verification : undefined;

/** The error code (1001 … 2104), if the answer has one. */
export const readErrorCode = (body: unknown): string | undefined => {
  const found = typeof body === "object" && body !== null && "code" in body ? String(body.code) : "";
  return /^\d{1,6}$/.test(found) ? found : undefined;
};
