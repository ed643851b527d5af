import type { Break, BreakKind } from "./breaks.ts";
import { requestBreaks, responseBreaks } from "./compare-schemas.ts";
import type { Answer, Contract, Operation, Parameter } from "./read-contract.ts";

type Found = Omit<Break, "operation">;

const found = (kind: BreakKind, place: string, change: string): Found => ({ kind, place, change });

/**
 * Each entry is one way to show a key (OpenAPI 3.1, 4.8.10): a further way breaks no caller, unless none was
 * needed.
 */
const acceptsFormerKeys = ({ security: former }: Operation, { security: current }: Operation): boolean =>
  former.length === 0 ? current.length === 0 : former.every((way) => current.includes(way));

const identityBreaks = (former: Operation, current: Operation): readonly Found[] => [
  ...(former.id === current.id ? [] : [found("operation-renamed", "", `${former.id}, now ${current.id}`)]),
  ...(acceptsFormerKeys(former, current)
    ? []
    : [found("security-changed", "", `${former.security.join()}, now ${current.security.join()}`)]),
];

const sameParameter = (one: Parameter) => (other: Parameter) =>
  one.place === other.place && one.name.toLowerCase() === other.name.toLowerCase();

const parameterBreaks = (former: Operation, current: Operation): readonly Found[] => [
  ...former.parameters.flatMap((one) => {
    const place = `${one.place} ${one.name}`;
    const other = current.parameters.find(sameParameter(one));
    if (other === undefined) return [found("request-field-ignored", place, "the parameter is gone")];
    const isNew = other.isRequired && !one.isRequired;
    return [
      ...(isNew ? [found("request-field-required", place, "is required now")] : []),
      ...requestBreaks(one.schema, other.schema, place),
    ];
  }),
  ...current.parameters
    .filter((one) => one.isRequired && !former.parameters.some(sameParameter(one)))
    .map((one) => found("request-field-required", `${one.place} ${one.name}`, "a new parameter is required")),
];

const bodyBreaks = (former: Operation, current: Operation): readonly Found[] => [
  ...[...former.bodies].flatMap(([type, schema]) => {
    const other = current.bodies.get(type);
    return other === undefined
      ? [found("media-type-removed", "request", type)]
      : requestBreaks(schema, other, "request ");
  }),
  ...(former.bodies.size === 0 && current.bodies.size > 0
    ? [found("request-field-required", "request", "a body is required")]
    : []),
];

const answerBreaks = (status: string, former: Answer, current: Answer): readonly Found[] => [
  ...former.headers
    .filter((name) => !current.headers.includes(name))
    .map((name) => found("header-removed", `${status} ${name}`, "the header is gone")),
  ...[...former.contents].flatMap(([type, schema]) => {
    const other = current.contents.get(type);
    return other === undefined
      ? [found("media-type-removed", status, type)]
      : responseBreaks(schema, other, `${status} `);
  }),
];

/** Refusals may come and go; a successful answer, and the status of a code, stay. */
const answersBreaks = (former: Operation, current: Operation): readonly Found[] =>
  [...former.answers].flatMap(([status, answer]) => {
    const other = current.answers.get(status);
    if (other !== undefined) return answerBreaks(status, answer, other);
    return Number(status) < 400 ? [found("answer-removed", status, "the answer is gone")] : [];
  });

const statusOfCode = (operation: Operation): ReadonlyMap<string, string> =>
  new Map(
    [...operation.answers].flatMap(([status, { codes }]) => codes.map((code) => [code, status] as const)),
  );

const codeBreaks = (former: Operation, current: Operation): readonly Found[] => {
  const now = statusOfCode(current);
  return [...statusOfCode(former)].flatMap(([code, status]) => {
    const other = now.get(code);
    const hasMoved = other !== undefined && other !== status;
    return hasMoved ? [found("code-moved", code, `${status}, now ${other}`)] : [];
  });
};

const compareOperations = (former: Operation, current: Operation): readonly Found[] =>
  [identityBreaks, parameterBreaks, bodyBreaks, answersBreaks, codeBreaks].flatMap((compare) =>
    compare(former, current),
  );

/**
 * The changes that break a caller of the former release. Texts, examples, new operations, new optional fields
 * of requests, new fields and new values of answers break none.
 */
export const compareContracts = (former: Contract, current: Contract): readonly Break[] =>
  former.operations.flatMap((operation): readonly Break[] => {
    const other = current.operations.find(({ name }) => name === operation.name);
    const breaks =
      other === undefined
        ? [found("operation-removed", "", "the operation is gone")]
        : compareOperations(operation, other);
    return breaks.map((one) => ({ ...one, operation: operation.name }));
  });
