import type { FacePolicy } from "./policy.ts";
import { type Figure, policyFigures } from "./policy-figures.ts";

/**
 * A policy with figures replaced by those of a JSON file, to try it on stored decisions: `{"liveness":
 * {"yawDegreesMax": 25}, "comparison": {"falseMatchRates": {"document": 0.001}}}`. Switches and fusions have
 * settings of their own. `rates`: the false match rates that the service accepts. Throws Error that names the
 * first wrong figure and its accepted values.
 */
export const changePolicy = (policy: FacePolicy, text: string, rates: readonly string[]): FacePolicy => {
  const change = fieldsOf(parseJson(text), "the file");
  const figures = policyFigures(rates);
  const unknownPart = Object.keys(change).find((name) => !Object.hasOwn(figures, name));
  if (unknownPart !== undefined) {
    throw new Error(
      `${unknownPart} is not a part of the policy. The parts are ${Object.keys(figures).join(", ")}.`,
    );
  }
  const part = <Name extends keyof typeof figures>(name: Name): FacePolicy[Name] =>
    changed(policy[name], change[name], figures[name], name);
  return {
    ...policy,
    version: `${policy.version}+file`,
    comparison: part("comparison"),
    liveness: part("liveness"),
    attributes: part("attributes"),
  };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("The policy file is not JSON");
  }
};

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown, where: string): Fields => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(`${where} must be an object`);
  }
  return Object.fromEntries(Object.entries(value));
};

type Figures = { readonly [name: string]: Figure | Figures };

const isFigure = (one: Figure | Figures): one is Figure => typeof one["takes"] === "function";

const changed = <Part extends object>(part: Part, change: unknown, figures: Figures, where: string): Part => {
  if (change === undefined) return part;
  const own: Fields = Object.fromEntries(Object.entries(part));
  const fields = Object.entries(fieldsOf(change, where)).map(([name, value]) => {
    const place = `${where}.${name}`;
    if (name === "fusion") throw new Error(`${place} has a file of its own: IDEM_LIVENESS_FUSION`);
    const figure = Object.hasOwn(figures, name) ? figures[name] : undefined;
    if (figure === undefined) {
      throw new Error(
        `${place} is not a figure of the policy. ${where} has ${Object.keys(figures).join(", ")}`,
      );
    }
    return [
      name,
      isFigure(figure)
        ? requireAccepted(value, figure, place)
        : changed(fieldsOf(own[name], place), value, figure, place),
    ];
  });
  return { ...part, ...Object.fromEntries(fields) };
};

/** Uses the texts of the settings (config.ts): a trial accepts exactly the values of a setting. */
const requireAccepted = (value: unknown, { takes, words }: Figure, place: string): number => {
  if (typeof value === "number" && takes(value)) return value;
  const seen = typeof value === "number" ? String(value) : JSON.stringify(value);
  throw new Error(`${place} is ${seen}. Set it to ${words}.`);
};
