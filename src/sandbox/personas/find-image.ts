import { Failure } from "#contract/failure";
import { readMark } from "./mark.ts";
import type { Persona, PersonaImage } from "./persona.ts";

/** A marked image that met the service. */
export type MetImage = PersonaImage & {
  /** Name of the persona, as records state it. */
  readonly persona: string;
};

/**
 * Finds the persona's image in encoded bytes; undefined for bytes without a mark. Fails with persona_refused.
 */
export type FindImage = (bytes: Uint8Array) => MetImage | undefined;

/**
 * Finds images of these personas. A mark of no persona of this release is refused: it would be judged as
 * another image.
 */
export const makeFindImage = (personas: readonly Persona[]): FindImage => {
  const known = new Map<string, MetImage>(
    personas.flatMap(({ name, images }) =>
      Object.entries(images).map(([image, met]): readonly [string, MetImage] => [
        `${name}/${image}`,
        { ...met, persona: name },
      ]),
    ),
  );
  return (bytes) => {
    const mark = readMark(bytes);
    if (mark === undefined) return undefined;
    const met = known.get(mark);
    if (met === undefined) throw new Failure("persona_refused", { reason: "unknown", persona: mark });
    return met;
  };
};

/** Fails with persona_refused for marked bytes: of the live environment. */
export const refuseMark = (bytes: Uint8Array): void => {
  const mark = readMark(bytes);
  if (mark !== undefined) throw new Failure("persona_refused", { reason: "live", persona: mark });
};
