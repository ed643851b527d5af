import type { FacePolicy, FalseMatchRates } from "./policy.ts";

/** What a policy file may change: figures. Switches and fusions have settings of their own. */
const parts = ["comparison", "liveness", "attributes"] as const;

/**
 * A policy with the figures of a JSON file in place of its own, for trying it out on stored decisions:
 * `{"liveness": {"yawDegreesMax": 25}, "comparison": {"falseMatchRates": {"document": 0.001}}}`. `rates`: the
 * false-match rates that the service takes. Throws Error that names the first wrong figure.
 */
export const changePolicy = (policy: FacePolicy, text: string, rates: readonly string[]): FacePolicy => {
  const change = fieldsOf(parseJson(text), "the file");
  const strange = Object.keys(change).find((name) => !parts.some((part) => part === name));
  if (strange !== undefined) {
    throw new Error(`${strange} is no part of the policy. There are ${parts.join(", ")}.`);
  }
  const comparison = changed(policy.comparison, change["comparison"], "comparison");
  requireRates(comparison.falseMatchRates, rates);
  return {
    ...policy,
    version: `${policy.version}+file`,
    comparison,
    liveness: changed(policy.liveness, change["liveness"], "liveness"),
    attributes: changed(policy.attributes, change["attributes"], "attributes"),
  };
};

/** As the service at its start: what is tried out is what could be set. */
const requireRates = (chosen: FalseMatchRates, rates: readonly string[]): void => {
  for (const [use, rate] of Object.entries(chosen)) {
    if (!rates.some((one) => Number(one) === rate)) {
      throw new Error(`comparison.falseMatchRates.${use} is ${rate}. Set it to one of ${rates.join(", ")}.`);
    }
  }
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("The policy file is no JSON");
  }
};

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown, where: string): Fields => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(`${where} must be an object`);
  }
  return Object.fromEntries(Object.entries(value));
};

const changed = <Part extends object>(part: Part, change: unknown, where: string): Part => {
  if (change === undefined) return part;
  const own: Fields = Object.fromEntries(Object.entries(part));
  const fields = Object.entries(fieldsOf(change, where)).map(([name, value]) => {
    const place = `${where}.${name}`;
    const before = Object.hasOwn(own, name) ? own[name] : undefined;
    if (name === "fusion") throw new Error(`${place} has a file of its own: IDEM_LIVENESS_FUSION`);
    if (typeof before === "object" && before !== null) {
      return [name, changed(before, value, place)];
    }
    if (typeof before !== "number") {
      const figures = Object.keys(own).filter((key) => key !== "fusion" && typeof own[key] !== "boolean");
      throw new Error(`${place} is no figure of the policy. ${where} has ${figures.join(", ")}`);
    }
    if (typeof value !== "number" || !Number.isFinite(value)) throw new Error(`${place} must be a number`);
    return [name, value];
  });
  return { ...part, ...Object.fromEntries(fields) };
};
