import { Compile } from "typebox/schema";
import { memberOf } from "../../scripts/contract/json.ts";
import type { Answer, Operation, Schema } from "../../scripts/contract/read-contract.ts";
import { jsonOf, type Received } from "./exchange.ts";

export type JudgeAnswer = (operation: Operation, received: Received) => readonly string[];

const problemType = "application/problem+json";

/**
 * A server error is never right, but for overload, an outage, a time limit, and endpoints of a later release.
 */
const statusFault = (operation: Operation, { status, text }: Received): string | undefined => {
  if (status === 0) return `the connection ended without an answer (${text})`;
  const isStated = operation.answers.has(String(status));
  if (!isStated) return `answered ${status}, which the contract does not declare`;
  const isFailure = status >= 500 && ![501, 503, 504].includes(status);
  return isFailure ? `answered ${status}` : undefined;
};

const problemFaults = ({ codes }: Answer, status: number, body: unknown): readonly string[] => {
  const failure = String(memberOf(body, "failure"));
  const isUnknown = codes.length > 0 && !codes.includes(failure);
  return [
    ...(isUnknown ? [`the failure ${failure} is not declared for ${status}`] : []),
    ...(memberOf(body, "status") === status
      ? []
      : [`the problem states ${String(memberOf(body, "status"))}`]),
  ];
};

/** Judges answers by the contract: status, media type, failure code, headers, and the schema of the body. */
export const makeJudgeAnswer = (): JudgeAnswer => {
  const compiled = new Map<Schema, { readonly Check: (value: unknown) => boolean }>();
  const accepts = (schema: Schema, body: unknown): boolean => {
    const check = compiled.get(schema) ?? Compile(schema);
    compiled.set(schema, check);
    return check.Check(body);
  };
  return (operation, received) => {
    const fault = statusFault(operation, received);
    const { status, type, headers } = received;
    const answer = operation.answers.get(String(status));
    if (fault !== undefined || answer === undefined) return [`${fault}: ${received.text.slice(0, 200)}`];
    const schema = answer.contents.get(type);
    if (schema === undefined) return [`answered ${status} as "${type}", which the contract does not declare`];
    const body = type.endsWith("json") ? jsonOf(received) : received.text;
    const missing = answer.headers.filter((name) => status === 503 && headers[name] === undefined);
    return [
      ...(accepts(schema, body)
        ? []
        : [`the body of ${status} does not fit its schema: ${received.text.slice(0, 200)}`]),
      ...(type === problemType ? problemFaults(answer, status, body) : []),
      ...missing.map((name) => `${status} comes without the header ${name}`),
    ];
  };
};
