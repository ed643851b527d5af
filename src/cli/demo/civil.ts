import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import type { Imaging } from "#machine/imaging/image";
import { drawPersonImages } from "#sandbox/persons/person-images";
import { personAt } from "#sandbox/persons/persons";
import {
  type SandboxCountry,
  type SandboxPerson,
  sandboxRegistryCountries,
} from "#sandbox/persons/sandbox-person";
import { type PublishedKeys, sealToken } from "#trust/tokens/seal";
import type { Client } from "../kit/service/client.ts";
import { call } from "../kit/service/onboarding.ts";
import { differs, type Step } from "./step.ts";

const validated = makeCheck(
  Type.Object({
    serviceFacialAuthenticationResult: Type.Optional(Type.Integer()),
    serviceFacialSimilarityResult: Type.Optional(Type.Number()),
    serviceFacialAuthenticationHash: Type.Optional(Type.String()),
    civilDataValidation: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), code: Type.String(), message: Type.String() })),
    ),
  }),
);

type Validated = ReturnType<typeof validated.Parse>;

/** What a call needs beyond the service. */
export type CivilDeps = {
  readonly client: Client;
  readonly keys: PublishedKeys;
  readonly imaging: Imaging;
};

/** The fields that every card prints and every registry states. */
const printedEverywhere = ["documentNumber", "lastName", "firstName", "dateOfBirth"] as const;

/** Code of civilDataValidation: the values agree. */
const agrees = "0";

/**
 * Validates the man of the demo in seven countries: his drawn card is read, the registry is asked, data and
 * faces are compared. One step for each country.
 */
export async function* validateInSevenCountries(deps: CivilDeps): AsyncGenerator<Step, void> {
  for (const country of sandboxRegistryCountries) yield await validateIn(deps, country);
}

const validateIn = async ({ client, keys, imaging }: CivilDeps, country: SandboxCountry): Promise<Step> => {
  const person = personAt(country, 0);
  const images = await drawPersonImages(imaging, person);
  const started = performance.now();
  const answer = validated.Parse(
    await call(client, "/services/civilValidation", {
      operation: "FULL",
      platform: "WEB",
      countryCode: country,
      documentNumber: person.documentNumber,
      imageFrontDocument: base64(images.front),
      imageBackDocument: base64(images.back),
      templateRaw: await sealToken({ keys, kind: "best-image", payload: images.selfie, now: new Date() }),
      ...particular(person, images.selfie),
      tracking: { operationId: `demo-civil-${country}`, extraData: `tracking of demo-civil-${country}` },
    }),
  );
  return stepOf(person, answer, performance.now() - started);
};

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** What the interface asks of some countries alone. */
const particular = ({ country, documentCode, gender }: SandboxPerson, selfie: Uint8Array) => ({
  ...(documentCode === undefined ? {} : { documentCode }),
  ...(country === "ARG" ? { gender } : {}),
  ...(country === "ARG" || country === "PAN" ? { bestImage: base64(selfie) } : {}),
});

const stepOf = ({ country }: SandboxPerson, answer: Validated, ms: number): Step => {
  const compared = answer.civilDataValidation ?? [];
  const codeOf = (field: string): string | undefined => compared.find((one) => one.field === field)?.code;
  const wrong = compared.filter(({ message }) => message === "Different" || message === "Unknown person");
  return {
    name: `civil-${country}`,
    story: `civil validation with the card and the face, against the simulated registry of ${country}`,
    facts: {
      facial: answer.serviceFacialAuthenticationResult,
      similarity: answer.serviceFacialSimilarityResult,
      fields: compared.length,
      agreeing: compared.filter(({ code }) => code === agrees).length,
      ms: Math.round(ms),
    },
    mistakes: [
      ...differs("serviceFacialAuthenticationResult", answer.serviceFacialAuthenticationResult, 3),
      ...printedEverywhere.flatMap((field) =>
        field === "dateOfBirth" || codeOf(field) !== undefined
          ? differs(`the code of ${field}`, codeOf(field), agrees)
          : [`the field ${field} was not compared`],
      ),
      ...wrong.map(({ field, message }) => `${field}: ${message}`),
    ],
  };
};
