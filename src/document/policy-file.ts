import { createHash } from "node:crypto";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { shapeFaults } from "#contract/shape-fault";
import { isCalendarDate } from "./dates.ts";
import { findingNames } from "./finding-names.ts";
import type { DocumentPolicy } from "./policy.ts";

const share = Type.Number({ minimum: 0, maximum: 1 });
const country = Type.String({ pattern: "^[A-Z]{3}$" });
const strict = { additionalProperties: false } as const;

const consequence = Type.Enum(["decline", "resubmit", "review", "ignore"]);

/** What a policy file may say. Every part may be left out, and every figure of a part. */
const policyFile = Type.Object(
  {
    picture: Type.Optional(
      Type.Partial(
        Type.Object({
          shortSidePxMin: Type.Integer({ minimum: 1, maximum: 10_000 }),
          jpegQualityMin: Type.Integer({ minimum: 0, maximum: 100 }),
          marginShareMin: share,
          sharpnessMin: Type.Number({ minimum: 0, maximum: 2 }),
          overexposedShareMax: share,
          brightnessMin: Type.Number({ minimum: 0, maximum: 255 }),
        }),
        strict,
      ),
    ),
    card: Type.Optional(Type.Partial(Type.Object({ outsideShareMax: share }), strict)),
    resubmission: Type.Optional(
      Type.Partial(
        Type.Object({
          attemptsMax: Type.Integer({ minimum: 1, maximum: 100 }),
          daysMax: Type.Integer({ minimum: 1, maximum: 365 }),
          countsMerchantReference: Type.Boolean(),
        }),
        strict,
      ),
    ),
    velocity: Type.Optional(
      Type.Partial(
        Type.Object({
          attemptsMax: Type.Integer({ minimum: 0, maximum: 1000 }),
          hours: Type.Integer({ minimum: 1, maximum: 720 }),
        }),
        strict,
      ),
    ),
    review: Type.Optional(
      Type.Partial(
        Type.Object({
          holdMinutes: Type.Integer({ minimum: 1, maximum: 1440 }),
          persons: Type.Enum([1, 2]),
        }),
        strict,
      ),
    ),
    ageYearsMin: Type.Optional(Type.Enum([13, 14, 16, 18, 20, 21, 25])),
    reference: Type.Optional(Type.Enum(["none", "registeredUser"])),
    expiryGrace: Type.Optional(
      Type.Array(
        Type.Object({ country, acceptedUntil: Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\d$" }) }, strict),
        { maxItems: 300 },
      ),
    ),
    countries: Type.Optional(Type.Array(country, { maxItems: 300 })),
    consequences: Type.Optional(Type.Partial(Type.Record(Type.Enum([...findingNames]), consequence), strict)),
  },
  strict,
);

const file = Compile(policyFile);

/**
 * A policy with what a JSON file says in place of its own: `{"ageYearsMin": 18, "consequences": {"specimen": "decline"}}`.
 * The version names the file's text by its hash, so that every stored decision tells under which it was made. Throws
 * Error that names every wrong entry.
 */
export const changeDocumentPolicy = (policy: DocumentPolicy, text: string): DocumentPolicy => {
  const change = parseJson(text);
  if (!file.Check(change)) {
    throw new Error(shapeFaults(file.Errors(change)).join("; "));
  }
  const noDay = change.expiryGrace?.find(({ acceptedUntil }) => !isCalendarDate(acceptedUntil));
  if (noDay !== undefined) {
    throw new Error(
      `/expiryGrace: acceptedUntil of ${noDay.country} is no day of the calendar, as 2027-03-31`,
    );
  }
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  const { picture, card, resubmission, review, velocity, consequences, ...rest } = change;
  return {
    ...policy,
    ...rest,
    version: `${policy.version}+file-${hash}`,
    picture: { ...policy.picture, ...picture },
    card: { ...policy.card, ...card },
    resubmission: { ...policy.resubmission, ...resubmission },
    review: { ...policy.review, ...review },
    velocity: { ...policy.velocity, ...velocity },
    consequences: { ...policy.consequences, ...consequences },
  };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("the file is no JSON");
  }
};
