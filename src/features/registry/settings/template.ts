/** Texts with variables: `{documentNumber}`. */
import type { Template } from "./settings.ts";

/** The variables of a request: members of a question. */
export const variableNames = ["documentNumber", "documentCode", "gender", "bestImage"] as const;

export type VariableName = (typeof variableNames)[number];

const isVariable = (name: string): name is VariableName => variableNames.some((known) => known === name);

/** A name in braces. Other braces are text. */
const variable = /\{([A-Za-z]+)\}/g;

/** The names in braces of a text. */
export const namesIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(variable), ([, name]) => name ?? "");

/** The first name in braces that is no variable. */
export const findUnknownName = (text: string): string | undefined =>
  namesIn(text).find((name) => !isVariable(name));

/** The text with its values; undefined where a variable has no value. */
export const fillText = (
  text: string,
  values: Readonly<Partial<Record<VariableName, string>>>,
  encode: (value: string) => string = (value) => value,
): string | undefined => {
  let isWhole = true;
  const filled = text.replaceAll(variable, (_, name: string) => {
    const value = isVariable(name) ? values[name] : undefined;
    if (value === undefined) isWhole = false;
    return encode(value ?? "");
  });
  return isWhole ? filled : undefined;
};

const isList = (value: Template): value is readonly Template[] => Array.isArray(value);

/** The value with its variables filled in. Members and items whose variable has no value are left out. */
export const fillTemplate = (
  template: Template,
  values: Readonly<Partial<Record<VariableName, string>>>,
): Template | undefined => {
  if (typeof template === "string") return fillText(template, values);
  if (template === null || typeof template !== "object") return template;
  if (isList(template)) {
    return template.flatMap((item) => {
      const filled = fillTemplate(item, values);
      return filled === undefined ? [] : [filled];
    });
  }
  return Object.fromEntries(
    Object.entries(template).flatMap(([name, member]) => {
      const filled = fillTemplate(member, values);
      return filled === undefined ? [] : [[name, filled] as const];
    }),
  );
};
