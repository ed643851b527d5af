import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { readHashed, writeHashed } from "#contract/hashed-file";
import { type CueName, cueNames } from "./cues/cue.ts";
import { type Fusion, isSafe, weakMax } from "./fusion.ts";

const count = Type.Integer({ minimum: 0 });
const hash = Type.String({ pattern: "^[0-9a-f]{64}$" });

const contentSchema = Type.Object({
  format: Type.Literal("idem-liveness-fusion"),
  version: Type.Literal(1),
  madeAt: Type.String({ maxLength: 40 }),
  offset: Type.Number(),
  scales: Type.Record(Type.String({ pattern: "^[a-z-]{1,40}$" }), Type.Number()),
  /** What it was fitted on. */
  data: Type.Object({
    persons: count,
    live: count,
    attacks: Type.Record(Type.String({ maxLength: 60 }), count),
  }),
  /** SHA-256 of the networks that measured the pictures. */
  models: Type.Record(Type.String({ maxLength: 80 }), hash),
});
const fileSchema = Type.Intersect([contentSchema, Type.Object({ sha256: hash })]);
const fileShape = Compile(fileSchema);

export type FusionContent = Static<typeof contentSchema>;

/** A fusion file that is not taken, in a sentence for the operator. */
export class FusionRefused extends Error {
  override readonly name = "FusionRefused";
}

/** The text of a fusion file. */
export const writeFusion = (content: FusionContent): string => writeHashed(content);

/**
 * Reads a fusion file's text. Throws FusionRefused for one that is damaged or changed, names a cue that this version does
 * not know, or could refuse a person for weak cues alone.
 */
export const parseFusion = (text: string): Fusion => {
  const found = readHashed(text, (value) => fileShape.Check(value));
  if (found === "damaged") {
    throw new FusionRefused(
      "it is no liveness fusion of this version, or damaged. Make it again: idem train liveness",
    );
  }
  if (found === "changed") {
    throw new FusionRefused(
      "it was changed after it was made: its SHA-256 is another. Make it again, or restore it",
    );
  }
  const { sha256, offset } = found;
  const scales = Object.fromEntries(
    Object.entries(found.scales).map(([name, scale]) => {
      if (!isCueName(name))
        throw new FusionRefused(`it weighs the cue ${name}, which this version does not have`);
      return [name, scale];
    }),
  );
  if (!isSafe({ offset, scales })) {
    throw new FusionRefused(
      `with it weak cues alone could refuse a person: its offset must lie under -${weakMax}, its scales in bounds`,
    );
  }
  return { name: `fitted-${sha256.slice(0, 12)}`, offset, scales };
};

const isCueName = (name: string): name is CueName => cueNames.some((known) => known === name);
