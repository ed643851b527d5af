import { mrzAlphabet } from "./alphabet.ts";
import { judgeChecks } from "./checks.ts";
import type { DecodedLine } from "./decode.ts";
import { layouts, type MrzFormat } from "./formats.ts";
import { masks } from "./masks.ts";
import type { Suggestion } from "./reading.ts";

/** One possible replacement of a character: `cost` in nats. */
type Change = { readonly line: number; readonly at: number; readonly to: string; readonly cost: number };

/**
 * A repair that costs more nats than this, or changes more than two characters, would invent a text instead
 * of reading it.
 */
const limits = { costMax: 5, changesMax: 2, candidatesMax: 40 } as const;

const rivalsAt = (
  allowed: readonly number[],
  scores: Float32Array,
  { line, at, own }: { readonly line: number; readonly at: number; readonly own: string },
): readonly Change[] =>
  allowed
    .map((code) => ({
      line,
      at,
      to: mrzAlphabet[code]!,
      cost: scores[mrzAlphabet.indexOf(own)]! - scores[code]!,
    }))
    .filter(({ to, cost }) => to !== own && cost <= limits.costMax);

const candidatesOf = (format: MrzFormat, decoded: readonly DecodedLine[]): readonly Change[] =>
  decoded
    .flatMap(({ text, scores }, line) => {
      const { allowed } = masks[format][line]!;
      return scores.flatMap((row, at) => rivalsAt(allowed[at]!, row, { line, at, own: text[at]! }));
    })
    .sort((a, b) => a.cost - b.cost)
    .slice(0, limits.candidatesMax);

const apply = (lines: readonly string[], { line, at, to }: Change): readonly string[] =>
  lines.map((text, i) => (i === line ? text.slice(0, at) + to + text.slice(at + 1) : text));

/**
 * The cheapest change of one or two characters that makes every check digit hold. It is a hint for a reviewer
 * who sees the image, because a repair also overwrites real errors of the document. Undefined when no change
 * within the limits holds.
 */
export const suggestRepair = (format: MrzFormat, decoded: readonly DecodedLine[]): Suggestion | undefined => {
  const layout = layouts[format];
  const holds = (lines: readonly string[]) => judgeChecks(layout, lines).every((check) => check.holds);
  const lines = decoded.map(({ text }) => text);
  const changes = candidatesOf(format, decoded);
  let best: (Suggestion & { readonly cost: number }) | undefined;
  const consider = (candidate: readonly string[], count: number, cost: number) => {
    if ((best === undefined || cost < best.cost) && holds(candidate)) {
      best = { lines: candidate, changes: count, cost };
    }
  };
  for (const [i, first] of changes.entries()) {
    const once = apply(lines, first);
    consider(once, 1, first.cost);
    for (const second of changes.slice(i + 1)) {
      const cost = first.cost + second.cost;
      if (cost <= limits.costMax) consider(apply(once, second), limits.changesMax, cost);
    }
  }
  return best === undefined ? undefined : { lines: best.lines, changes: best.changes };
};
