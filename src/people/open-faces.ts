import { Failure } from "#contract/failure";
import { asInput } from "#contract/input";
import type { FaceJudging } from "#face/judging";
import type { FaceSide } from "#face/matching/judge-comparison";
import type { FaceMeasurement } from "#face/measurement";
import type { OpenedToken } from "#tokens/token";
import type { PeopleCall, PeopleService } from "./service.ts";

/** What the user is compared with, or shall be registered with: a sealed template or face image, or an open picture. */
export type ReferenceInput =
  | { readonly kind: "token"; readonly token: Uint8Array }
  | { readonly kind: "picture"; readonly picture: Uint8Array };

/** A reference of which it is known whether it has to be measured. */
export type Reference = {
  readonly kind: "template" | "picture";
  readonly bytes: Uint8Array;
  readonly tokens: readonly OpenedToken[];
};

/**
 * Opens a reference. A field for templates takes a face-image token too: a capture device seals what it sees, and the
 * recogniser that makes a template runs here. Fails with a token failure (input `reference`).
 */
export const openReference = async (
  { openToken }: Pick<PeopleService, "openToken">,
  { receivedAt }: PeopleCall,
  input: ReferenceInput,
): Promise<Reference> => {
  if (input.kind === "picture") {
    return { kind: "picture", bytes: input.picture, tokens: [] };
  }
  const token = await asInput("reference", () =>
    openToken(input.token, ["template", "face-image"], receivedAt),
  );
  const kind = token.kind === "template" ? "template" : "picture";
  return { kind, bytes: token.payload, tokens: [token] };
};

/** A reference that can be compared: a template as it is, a picture as the engine measured it. */
export type MeasuredReference = {
  readonly side: FaceSide;
  readonly measured: readonly FaceMeasurement[];
};

/** Fails with an image failure for a picture that is none (input `reference`). */
export const measureReference = async (
  { face }: Pick<PeopleService, "face">,
  { signal }: PeopleCall,
  { kind, bytes }: Reference,
): Promise<MeasuredReference> => {
  if (kind === "template") {
    return { side: { kind: "template", template: bytes }, measured: [] };
  }
  const measured = await face.measure(bytes, { template: true }, signal);
  if (measured.kind !== "measured") {
    const { code, facts = {} } = measured;
    throw new Failure(code, { ...facts, input: "reference" });
  }
  return { side: measured, measured: [measured] };
};

/** The packed template of a side, where it has one. */
export const templateOf = (side: FaceSide): Uint8Array | undefined =>
  "template" in side ? side.template : undefined;

const unchanged = (vector: Float32Array): Float32Array => vector;

/**
 * A template that was sent, as common as another that is trusted says. Its sender's word would count for every score: by
 * saying too little it would match strangers, by saying too much nobody. As it is where one of the two is none.
 */
export const lentSide = (
  { mapTemplate }: Pick<FaceJudging, "mapTemplate">,
  template: Uint8Array,
  trusted: Uint8Array,
): FaceSide => {
  let found: number | undefined;
  mapTemplate(trusted, {
    vector: unchanged,
    commonness: (value) => {
      found = value;
      return value;
    },
  });
  const mapped = mapTemplate(template, { vector: unchanged, commonness: (value) => found ?? value });
  return { kind: "template", template: mapped ?? template };
};
