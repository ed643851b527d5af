import { documentTypesV2 } from "#contract/document-type";
import type { Drawing, Persona, PersonaCall } from "#sandbox/personas/persona";

/** A persona whose drawings are read, and then decided with the facts of its mark if it has one. */
export type DecidedDocument = {
  readonly name: string;
  readonly front: Drawing;
  readonly back?: Drawing;
  readonly start: PersonaCall;
  readonly answer: PersonaCall;
};

/**
 * The document of a persona that is validated by two calls; undefined for other calls, and where a reading is
 * steered.
 */
export const decidedDocumentOf = ({ name, images, calls }: Persona): DecidedDocument | undefined => {
  const [start, answer, ...others] = calls;
  const { front, back } = images;
  const areOpen = Object.values(images).every(
    ({ steering }) => (steering?.kind ?? "document") === "document",
  );
  if (front === undefined || start?.route !== "startDocumentValidation" || !areOpen) return undefined;
  if (answer?.route !== "documentValidationData" || others.length > 0) return undefined;
  return { name, front: front.drawing, ...(back && { back: back.drawing }), start, answer };
};

/**
 * Documents of one way are decided by the same code with other facts, and answered alike. All of them are
 * decided in documents.engine.test.ts.
 */
export const wayOf = (persona: Persona): string => {
  const document = decidedDocumentOf(persona);
  if (document === undefined) return persona.name;
  const steering = persona.images["front"]?.steering;
  const facts = steering?.kind === "document" ? Object.keys(steering.of) : [];
  const { start, answer, back } = document;
  return JSON.stringify([
    start.fields["idType"],
    back !== undefined,
    facts,
    answer.expected["verification.status"],
  ]);
};

/** The country and the type that a persona's call declares. */
export const declaredOf = ({ start: { fields } }: Pick<DecidedDocument, "start">) => {
  const type = documentTypesV2.find((one) => one === fields["idType"]);
  const country = fields["country"];
  if (type === undefined || typeof country !== "string") {
    throw new Error(`Not a document: ${JSON.stringify(fields)}`);
  }
  return { country, type };
};
