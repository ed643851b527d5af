import type { Route } from "../endpoint.ts";
import type { FailureCode } from "../failure.ts";

/** A value that an earlier example call answered. */
export type TakenValue = {
  /**
   * Field of the request that receives the value; with dots inside of others, such as
   * `signingData.serviceTransactionId`.
   */
  readonly field: string;
  /** Name of the earlier call. */
  readonly from: string;
  /** Member of its answer; with dots inside of others, such as `events.1.id`. */
  readonly member: string;
};

/** One example of the specification: a request that works as it stands, or after the calls that it names. */
export type ExampleCall = {
  /** Key of the example in the specification, for the request and for its answer. Unique. */
  readonly name: string;
  readonly route: Route;
  /** What the example shows. */
  readonly summary: string;
  /** Every field of the request, parameters of the path included. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly taken?: readonly TakenValue[];
  /** The failure that answers the example without the earlier calls. Absent if the example works alone. */
  readonly alone?: FailureCode;
  /** Settings of the service that the stated answer needs. Other services may answer as `alone`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The call is repeated while this member (as in `TakenValue`) of its answer has this value. */
  readonly repeatedWhile?: { readonly member: string; readonly value: string };
};

type Fields = Readonly<Record<string, unknown>>;

/**
 * Makes examples of calls on what an earlier example made: `place` names its id in both, `value` stands for
 * it in the document.
 */
export const callsOn =
  (place: TakenValue, value: string) =>
  (name: string, route: Route, summary: string, fields: Fields = {}): ExampleCall => ({
    name,
    route,
    summary,
    fields: { [place.field]: value, ...fields },
    taken: [place],
    alone: "not_found",
  });

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** The fields, with a value in place of one of them or inside one of them. */
const placed = (fields: Fields, [name = "", ...inside]: readonly string[], value: unknown): Fields => {
  const former = fields[name];
  return {
    ...fields,
    [name]: inside.length === 0 ? value : placed(isFields(former) ? former : {}, inside, value),
  };
};

/** The fields with what `valueOf` gives in the place of each taken value. */
export const placeTaken = (
  fields: Fields,
  taken: readonly TakenValue[],
  valueOf: (taken: TakenValue) => unknown,
): Fields => taken.reduce((all, one) => placed(all, one.field.split("."), valueOf(one)), fields);
