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
import type { CueName } from "./cues/cue.ts";
import { type LivenessFusion, livenessBounds, weakCues } from "./fusion.ts";

const contentSchema = Type.Object({
  format: Type.Literal("idem-liveness-fusion"),
  version: Type.Literal(1),
  madeAt: Type.String({ maxLength: 40 }),
  offset: Type.Number(),
  scales: Type.Record(Type.String({ pattern: "^[a-z-]{1,40}$" }), Type.Number()),
  /** Training data. */
  data: Type.Object({ persons: countSchema, live: countSchema, attacks: attackCountsSchema }),
  /** SHA-256 of the networks that measured the images. */
  models: Type.Record(Type.String({ maxLength: 80 }), hashSchema),
});
const fileShape = makeCheck(Type.Intersect([contentSchema, Type.Object({ sha256: hashSchema })]));

export type FusionContent = Static<typeof contentSchema>;

/** The text of a fusion file. */
export const writeFusion = (content: FusionContent): string => writeHashed(content);

/**
 * Reads the text of a fusion file. Throws FusionRefused for a damaged, changed or unsafe file, or an unknown
 * cue.
 */
export const parseFusion = (text: string): LivenessFusion =>
  readFusion<CueName, FusionContent & { readonly sha256: string }>(text, {
    isContent: (value) => fileShape.Check(value),
    damaged: "it is no liveness fusion of this version, or damaged. Make it again: idem train liveness",
    cues: livenessBounds.cues,
    findFault: (fusion) =>
      isSafe(fusion, livenessBounds)
        ? undefined
        : `with it weak cues alone could refuse a person: its offset must lie under -${weakCues.max}, its scales in bounds`,
  });
