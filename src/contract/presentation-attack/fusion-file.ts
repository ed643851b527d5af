import { Type } from "typebox";
import { readHashed } from "../hashed-file.ts";
import type { CueFusion, FittedFusion } from "./fusion.ts";

/** Schemas that the fusion files of faces and of documents share. */
export const countSchema = Type.Integer({ minimum: 0 });
export const hashSchema = Type.String({ pattern: "^[0-9a-f]{64}$" });
/** Number of training samples of each attack kind. */
export const attackCountsSchema = Type.Record(Type.String({ maxLength: 60 }), countSchema);

/** A rejected fusion file; the message is a sentence for the operator. */
export class FusionRefused extends Error {
  override readonly name = "FusionRefused";
}

type FusionFile<Cue extends string, Content> = {
  readonly isContent: (value: unknown) => value is Content;
  /** The reason for text that is not such a file. */
  readonly damaged: string;
  /** The cues that a fusion of this kind weighs. */
  readonly cues: readonly Cue[];
  /** The reason why the service must not use these numbers; undefined where it may. */
  readonly findFault: (fusion: FittedFusion<Cue>) => string | undefined;
};

/**
 * Reads the text of a fusion file. Throws FusionRefused for a damaged, changed or unsafe file, or an unknown
 * cue.
 */
export const readFusion = <
  Cue extends string,
  Content extends FittedFusion<Cue> & { readonly sha256: string },
>(
  text: string,
  { isContent, damaged, cues, findFault }: FusionFile<Cue, Content>,
): CueFusion<Cue> => {
  const found = readHashed(text, isContent);
  if (found === "damaged") throw new FusionRefused(damaged);
  if (found === "changed") {
    throw new FusionRefused(
      "it was changed after it was made: its SHA-256 is another. Make it again, or restore it",
    );
  }
  const { sha256, offset, scales } = found;
  const unknown = Object.keys(scales).find((name) => !cues.some((cue) => cue === name));
  if (unknown !== undefined) {
    throw new FusionRefused(`it weighs the cue ${unknown}, which this version does not weigh`);
  }
  const fault = findFault({ offset, scales });
  if (fault !== undefined) throw new FusionRefused(fault);
  return { name: `fitted-${sha256.slice(0, 12)}`, offset, scales };
};
