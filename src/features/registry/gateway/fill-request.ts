import type { RegistryQuestion } from "../registry.ts";
import type { RequestRules } from "../settings/settings.ts";
import { fillTemplate, fillText, namesIn, type VariableName } from "../settings/template.ts";
import { RegistryFault } from "./fault.ts";

/** A request to the registry, without credentials. */
export type GatewayRequest = {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
};

/**
 * Letters, digits and the separators of national numbers: such a value cannot be a part of a path like `..`.
 */
const numberForm = /^[A-Za-z0-9](?:[A-Za-z0-9 -]{0,38}[A-Za-z0-9])?$/;

/** The request about one person. Throws Error for a number that is not canonical. */
export const fillRequest = (rules: RequestRules, question: RegistryQuestion): GatewayRequest => {
  if (!numberForm.test(question.documentNumber)) throw new Error("The number of a question is not canonical");
  const values = valuesOf(question);
  const body = rules.body === undefined ? undefined : fillTemplate(rules.body, values);
  return {
    method: rules.method,
    url: fillUrl(rules.url, values),
    headers: {
      accept: "application/json",
      ...rules.headers,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: Buffer.from(JSON.stringify(body), "utf8") }),
  };
};

type Values = Readonly<Partial<Record<VariableName, string>>>;

const valuesOf = ({ documentNumber, documentCode, gender, bestImage }: RegistryQuestion): Values => ({
  documentNumber,
  ...(documentCode !== undefined && { documentCode }),
  ...(gender !== undefined && { gender }),
  ...(bestImage !== undefined && { bestImage: Buffer.from(bestImage).toString("base64") }),
});

/** Parameters of the query whose variable has no value are left out. */
const fillUrl = (url: string, values: Values): string => {
  const [path = "", ...rest] = url.split("?");
  const filled = fillText(path, values, encodeURIComponent);
  const missing = namesIn(path).join(", ");
  if (filled === undefined) throw new RegistryFault(`the request needs ${missing}`, { isAboutPerson: true });
  const query = rest
    .join("?")
    .split("&")
    .map((parameter) => fillText(parameter, values, encodeURIComponent))
    .filter((parameter) => parameter !== undefined && parameter !== "");
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
};
