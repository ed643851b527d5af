import { createHash } from "node:crypto";
import { Type } from "typebox";
import { isCalendarDate } from "#contract/calendar-date";
import { makeCheck } from "#contract/make-check";
import type { PortraitEvidence } from "#contract/portrait-evidence";
import { shapeFaults } from "#contract/shape-fault";
import { mrzTextOf } from "../values/specimen-word.ts";
import { findingNames } from "./finding-names.ts";
import type { DocumentPolicy } from "./policy.ts";

const share = Type.Number({ minimum: 0, maximum: 1 });
const country = Type.String({ pattern: "^[A-Z]{3}$" });
const strict = { additionalProperties: false } as const;

const consequence = Type.Enum(["decline", "resubmit", "review", "ignore"]);

/** The shape of a policy file. Every part is optional, and so is every value of a part. */
/** No document has more yet: with a policy that asks for a registry or a chip none is approved. */
const givenEvidences = [
  "unproven",
  "print-consistent",
  "reference",
  "ghost",
] as const satisfies readonly PortraitEvidence[];

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
    card: Type.Optional(Type.Partial(Type.Object({ outsideShareMax: share, faceShareMin: share }), strict)),
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
    portraitEvidenceMin: Type.Optional(Type.Enum(givenEvidences)),
    expiryGrace: Type.Optional(
      Type.Array(
        Type.Object({ country, acceptedUntil: Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\d$" }) }, strict),
        { maxItems: 300 },
      ),
    ),
    specimens: Type.Optional(
      Type.Partial(
        Type.Object({
          numbers: Type.Array(Type.String({ minLength: 4, maxLength: 40 }), { maxItems: 10_000 }),
          mrzTexts: Type.Array(Type.String({ minLength: 6, maxLength: 90 }), { maxItems: 10_000 }),
        }),
        strict,
      ),
    ),
    countries: Type.Optional(Type.Array(country, { maxItems: 300 })),
    consequences: Type.Optional(Type.Partial(Type.Record(Type.Enum([...findingNames]), consequence), strict)),
  },
  strict,
);

const file = makeCheck(policyFile);

/**
 * Least letters and digits of a specimen: a shorter text, or one of fillers, stands in many documents. The
 * number is our choice.
 */
const specimenLettersMin = { numbers: 4, mrzTexts: 6 } as const;

/** A wrong text of `specimens`, judged in the characters of an MRZ, as documents are. */
const specimenFaults = (specimens: Partial<DocumentPolicy["specimens"]>): readonly string[] =>
  (["numbers", "mrzTexts"] as const).flatMap((list) =>
    (specimens[list] ?? []).flatMap((text, i) => {
      const { length } = mrzTextOf(text).replaceAll("<", "");
      const min = specimenLettersMin[list];
      const counts = `has ${length} letters or digits of an MRZ, and needs at least ${min}`;
      return length < min ? [`/specimens/${list}/${i}: ${JSON.stringify(text)} ${counts}`] : [];
    }),
  );

/** An evidence of the portrait that the rest of the policy never gives, or that it lets pass. */
const evidenceFaults = ({
  portraitEvidenceMin: least,
  reference,
  consequences,
}: Pick<DocumentPolicy, "portraitEvidenceMin" | "reference" | "consequences">): readonly string[] => [
  ...(least === "reference" && reference !== "registeredUser"
    ? ['/portraitEvidenceMin: reference needs "reference": "registeredUser"']
    : []),
  ...(least !== "unproven" && consequences["portrait-unproven"] === "ignore"
    ? [`/consequences/portrait-unproven: ignore approves documents without the evidence ${least}`]
    : []),
];

/**
 * Overrides a policy's values with those of a JSON file: `{"ageYearsMin": 18, "consequences": {"specimen":
 * "decline"}}`. The version has the hash of the file's text: every stored decision identifies its policy.
 * Throws Error that names every wrong entry.
 */
export const changeDocumentPolicy = (policy: DocumentPolicy, text: string): DocumentPolicy => {
  const change = parseJson(text);
  if (!file.Check(change)) {
    throw new Error(shapeFaults(file.Errors(change)).join("; "));
  }
  const invalid = change.expiryGrace?.find(({ acceptedUntil }) => !isCalendarDate(acceptedUntil));
  if (invalid !== undefined) {
    throw new Error(
      `/expiryGrace: acceptedUntil of ${invalid.country} is not a calendar date, as 2027-03-31`,
    );
  }
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  const { picture: image, card, resubmission, review, velocity, specimens, consequences, ...rest } = change;
  const changed: DocumentPolicy = {
    ...policy,
    ...rest,
    version: `${policy.version}+file-${hash}`,
    image: { ...policy.image, ...image },
    card: { ...policy.card, ...card },
    resubmission: { ...policy.resubmission, ...resubmission },
    review: { ...policy.review, ...review },
    velocity: { ...policy.velocity, ...velocity },
    specimens: { ...policy.specimens, ...specimens },
    consequences: { ...policy.consequences, ...consequences },
  };
  const faults = [...specimenFaults(specimens ?? {}), ...evidenceFaults(changed)];
  if (faults.length > 0) {
    throw new Error(faults.join("; "));
  }
  return changed;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("the file is not JSON");
  }
};
