import { type Static, Type } from "typebox";
import { writeHashed } from "#contract/hashed-file";
import { makeCheck } from "#contract/make-check";
import { isSafe } from "#contract/presentation-attack/bounds";
import {
  attackCountsSchema,
  countSchema,
  hashSchema,
  readFusion,
} from "#contract/presentation-attack/fusion-file";
import type { AttackPolicy, DocumentFusion } from "./attack-policy.ts";
import { type DocumentCueName, documentCueNames } from "./cue.ts";
import { documentBounds } from "./fusion.ts";

const contentShape = Type.Object({
  format: Type.Literal("idem-document-attacks"),
  version: Type.Literal(1),
  madeAt: Type.String({ maxLength: 40 }),
  offset: Type.Number(),
  scales: Type.Partial(Type.Record(Type.Enum([...documentCueNames]), Type.Number())),
  /** Training data. */
  data: Type.Object({ documents: countSchema, genuine: countSchema, attacks: attackCountsSchema }),
});
const file = makeCheck(Type.Intersect([contentShape, Type.Object({ sha256: hashSchema })]));

export type DocumentFusionContent = Static<typeof contentShape>;

/** The text of a file of fitted weights. */
export const writeDocumentFusion = (content: DocumentFusionContent): string => writeHashed(content);

/**
 * Reads the text of such a file. Throws FusionRefused for a damaged, changed or unsafe file, or an unknown
 * cue.
 */
export const parseDocumentFusion = (text: string, policy: Pick<AttackPolicy, "decision">): DocumentFusion => {
  const bounds = documentBounds(policy);
  return readFusion<DocumentCueName, DocumentFusionContent & { readonly sha256: string }>(text, {
    isContent: (value) => file.Check(value),
    damaged: "it is no file of idem train document-attacks of this version, or damaged. Make it again",
    cues: bounds.cues,
    findFault: (fusion) =>
      isSafe(fusion, bounds)
        ? undefined
        : "with it a trace that is only a hint could make a spoof alone: its numbers are out of bounds",
  });
};
