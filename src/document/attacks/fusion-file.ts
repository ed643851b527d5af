import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { readHashed, writeHashed } from "#contract/hashed-file";
import type { AttackFusion, AttackPolicy } from "./attack-policy.ts";
import { isSafe } from "./fusion-fit.ts";
import { signalNames } from "./signal.ts";

const count = Type.Integer({ minimum: 0 });
const hash = Type.String({ pattern: "^[0-9a-f]{64}$" });

const contentShape = Type.Object({
  format: Type.Literal("idem-document-attacks"),
  version: Type.Literal(1),
  madeAt: Type.String({ maxLength: 40 }),
  offset: Type.Number(),
  scales: Type.Partial(Type.Record(Type.Enum([...signalNames]), Type.Number())),
  /** What it was fitted on. */
  data: Type.Object({
    documents: count,
    genuine: count,
    attacks: Type.Record(Type.String({ maxLength: 60 }), count),
  }),
});
const file = Compile(Type.Intersect([contentShape, Type.Object({ sha256: hash })]));

export type AttackFusionContent = Static<typeof contentShape>;

/** The text of a file of fitted weights. */
export const writeAttackFusion = (content: AttackFusionContent): string => writeHashed(content);

/** Reads such a file's text. Throws Error for one that is damaged, was changed, or lets a hint alone make a spoof. */
export const parseAttackFusion = (text: string, policy: Pick<AttackPolicy, "decision">): AttackFusion => {
  const found = readHashed(text, (value) => file.Check(value));
  if (found === "damaged") {
    throw new Error(
      "it is no file of idem train document-attacks of this version, or damaged. Make it again",
    );
  }
  if (found === "changed") {
    throw new Error("it was changed after it was made: its SHA-256 is another. Make it again, or restore it");
  }
  const { offset, scales } = found;
  if (!isSafe({ offset, scales }, policy)) {
    throw new Error(
      "with it a trace that is only a hint could make a spoof alone: its numbers are out of bounds",
    );
  }
  return { name: `fitted-${found.sha256.slice(0, 12)}`, offset, scales };
};
