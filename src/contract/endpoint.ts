import type { Static, TSchema } from "typebox";
import { Failure, type FailureCode } from "./failure.ts";
import type { FileAnswer } from "./file-answer.ts";
import type { idempotencyFailures } from "./idempotency.ts";
import { asRequestFault, type InputFields, namingField } from "./input.ts";
import { knownFields, lengthFaults, withStandIns } from "./known-fields.ts";
import { makeCheck } from "./make-check.ts";
import { explain, faultsMax, type RequestFault, type UncheckedFields } from "./request.ts";
import type { Scope } from "./scope.ts";
import { type Tracking, trackingOf } from "./tracking.ts";

/**
 * The secrets of an answer, and the way out for a caller who lost it. Members are named with dots inside of
 * others.
 */
export type ShownOnce = {
  /**
   * Members of the answer that hold a secret. An answer in which all of them are absent or null is kept as
   * any other.
   */
  readonly secrets: readonly string[];
  /**
   * Members, or fields of the request, that name what was made. The refusal of a retry states them in
   * `facts`.
   */
  readonly names: readonly string[];
  /** What the caller does next, as a sentence; stated in `facts.next`. */
  readonly next: string;
};

/** One operation of the interface: wire shape, rights and declared failures. */
export type Route<Request extends TSchema = TSchema, Response extends TSchema = TSchema> = {
  readonly name: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** Parameters in braces (`/a/{id}`) are fields of `request`; so are the query fields of a GET. */
  readonly path: string;
  readonly scope: Scope;
  /**
   * session: the credential is the token of a capture session, in place of an API key. Such a call takes no
   * idempotency key, and its answers may be read by pages of other origins.
   */
  readonly credential?: "session";
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly request: Request;
  readonly response: Response;
  /** Failures of this route alone; the failures of every route are in `commonFailures`. */
  readonly failures: readonly FailureCode[];
  /** Fields that a refusal names for the use case's inputs (`asInput`). */
  readonly inputs?: InputFields;
  /**
   * Answers a refused image or token with 400 request_invalid, where the interface has no other status for
   * it.
   */
  readonly refusesInputsAsRequest?: boolean;
  /** HTTP statuses of answers by their `serviceResultCode`, where the interface states another than 200. */
  readonly statuses?: Readonly<Record<string, 400 | 401>>;
  /**
   * Units that one call takes from the key's rate budget; a call that runs networks costs more. Default 1.
   */
  readonly cost?: number;
  /**
   * Field with the caller's own reference: an equal POST under the same reference soon after counts as a
   * retry (decision 0039).
   */
  readonly retryReference?: string;
  /**
   * Field with a token that one call may use: an equal POST with the same token counts as a retry (decision
   * 0043).
   */
  readonly oneUseToken?: string;
  /**
   * Set for a route whose answer holds a secret. The secret is shown once and never kept for retries, so a
   * retry gets `idempotency_secret_shown`. The test of the contract demands it of every answer with a field
   * that looks like a secret.
   */
  readonly shownOnce?: ShownOnce;
  /** Field of the query that may carry the key instead of the header, for callers that open a link. */
  readonly keyInQuery?: string;
  /** Media types that the route answers beside JSON, as a `FileAnswer`. Its calls get `asked`. */
  readonly files?: readonly string[];
  /** What the service posts later to the URL in a field of the request. */
  readonly callback?: { readonly field: string; readonly description: string; readonly body: TSchema };
  readonly deprecated?: boolean;
  /** Why no example of `examples/` calls the route. Absent where one does. */
  readonly withoutExample?: string;
  /**
   * Rules beyond the schema: conditional fields, tables. They run on unchecked fields, so that their faults
   * are reported together with those of the schema.
   */
  readonly rules?: (fields: UncheckedFields) => readonly RequestFault[];
};

/** Failures that any route may meet before or around its work. */
export const commonFailures = [
  "request_invalid",
  "json_unreadable",
  "http_unreadable",
  "unauthorized",
  "scope_missing",
  "request_too_slow",
  "body_too_large",
  "media_type_unsupported",
  "encoding_unsupported",
  "rate_limited",
  "headers_too_large",
  "overloaded",
  "internal_error",
  "store_unavailable",
  "shutting_down",
  "timed_out",
] as const satisfies readonly FailureCode[];

/** Every failure that a route may answer with. Only a POST with an API key takes an idempotency key. */
export const failuresOf = ({
  method,
  scope,
  credential,
  request,
  shownOnce,
  failures,
}: Pick<
  Route,
  "method" | "scope" | "credential" | "request" | "shownOnce" | "failures"
>): readonly FailureCode[] => [
  ...commonFailures,
  ...(method === "POST" && imageScopes.includes(scope) ? (["persona_refused"] as const) : []),
  ...(method === "POST" && credential === undefined ? idempotencyCodes : []),
  ...(shownOnce === undefined ? [] : (["idempotency_secret_shown"] as const)),
  ...(takesTracking(request) ? (["operation_finished"] as const) : []),
  ...failures,
];

/** The scopes whose calls carry images. */
const imageScopes: readonly Scope[] = ["face", "document", "user", "registry", "verification"];

/** Whether a call of the route can belong to an operation. */
const takesTracking = (request: TSchema): boolean =>
  "properties" in request &&
  typeof request.properties === "object" &&
  request.properties !== null &&
  ["tracking", "operationId", "extraData"].some((name) => name in Object(request.properties));

const idempotencyCodes = [
  "idempotency_key_reused",
  "idempotency_key_taken",
  "idempotency_call_running",
  "idempotency_answer_lost",
] as const satisfies readonly (keyof typeof idempotencyFailures)[];

/** Declares a route and keeps its types for {@link implement}. */
export const route = <Request extends TSchema, Response extends TSchema>(
  stated: Route<Request, Response>,
): Route<Request, Response> => stated;

/** The caller, found from the key, never from the body. */
export type Caller = {
  readonly tenantId: string;
  readonly keyId: string;
  readonly environment: "live" | "test";
};

/** The sealed answer of a call for retries with its idempotency key, and the claim that it belongs to. */
export type KeptAnswer = {
  readonly tenantId: string;
  /** Keyed hash of the idempotency key, with its environment and route. */
  readonly name: string;
  readonly transactionId: string;
  readonly sealed: Uint8Array;
};

/** Commits the record of a call, in one transaction with its answer where one is kept. */
export type CommitCall = (answer: KeptAnswer | undefined) => Promise<void>;

/** What a route with `files` needs of a request beside its fields. Never logged: the headers hold secrets. */
export type AskedWith = {
  readonly accept: string | undefined;
  readonly authorization: string | undefined;
  readonly remoteAddress: string;
};

/** The capture session whose page calls. */
export type CallSession = {
  readonly id: string;
  /** Whether the page holds the token of the session, or that of a hand-off. */
  readonly holder: "page" | "handoff";
  /**
   * Neighbourhood of the page's address; absent where the service sees a proxy's address alone. Never logged.
   */
  readonly address?: string | undefined;
};

/** One call in progress. `transactionId` is the UUID v4 in the answer's envelope. */
export type Call<Request> = {
  readonly request: Request;
  readonly caller: Caller;
  readonly transactionId: string;
  readonly requestId: string;
  readonly receivedAt: Date;
  /** Aborts when the caller has disconnected or the time is over. */
  readonly signal: AbortSignal;
  /** Recorded with the transaction, as the caller sent it. */
  readonly appName?: string;
  /** Kind of the operation, which keeps it with `tracking`. */
  readonly family?: string;
  /**
   * The tracking of the request, once its route has accepted it. It goes to the record of the call, and is
   * never logged.
   */
  readonly tracking?: Tracking;
  /** Present for a route with `files`. */
  readonly asked?: AskedWith;
  /** Present for a route whose credential is a session. */
  readonly session?: CallSession;
  /** Milliseconds since the request arrived, for `serviceTime`. */
  readonly elapsedMs: () => number;
  /**
   * Present under an idempotency key. Takes the commit of a call that changes nothing but its record; it runs
   * after the handler has returned, so that record and answer commit together.
   */
  readonly deferCommit?: (commit: CommitCall) => void;
};

/**
 * The page in place of the JSON of a refusal, by its status; undefined where the header Accept prefers
 * another form.
 */
export type RefusalPage = (accept: string | undefined, status: number) => FileAnswer | undefined;

/** A route with its handler. `handle` takes an unchecked body and checks it. */
export type Endpoint = {
  readonly route: Route;
  /** The page of a refusal, for a route that a person opens in a browser. */
  readonly refusalPage?: RefusalPage;
  readonly handle: (call: Call<unknown>) => Promise<unknown>;
  /**
   * Judges only the right of the caller, as `handle` does, before a retry gets a stored answer. Set for a
   * route whose use case judges a right beyond the scope. `call.signal` is absent.
   */
  readonly judgeRight?: (call: Omit<Call<unknown>, "signal">) => Promise<void>;
};

type Checker = { readonly Errors: (value: unknown) => Parameters<typeof explain>[1] };

/**
 * Joins a route with its handler. The handler receives only bodies that the route's schema and rules accept,
 * and of these only the fields of the schema.
 *
 * @example
 * ```ts
 * import { Type } from "typebox";
 * import { implement, type Route, route } from "#contract/endpoint";
 *
 * // What all routes of the family share: its path, rights, limits and declared failures.
 * export const makePing = (family: Omit<Route, "request" | "response">) => {
 *   const request = Type.Object({ name: Type.String() });
 *   const response = Type.Object({ greeting: Type.String() });
 *   return implement(route({ ...family, request, response }), async (call) => ({
 *     greeting: `Hello ${call.request.name}`,
 *   }));
 * };
 * ```
 */
export const implement = <Request extends TSchema, Response extends TSchema>(
  stated: Route<Request, Response>,
  handle: (call: Call<Static<Request>>) => Promise<Static<Response>>,
  judgeRight?: (call: Omit<Call<Static<Request>>, "signal">) => Promise<void>,
): Endpoint => {
  const checker = makeCheck(stated.request);
  const isAccepted = (body: unknown): body is Static<Request> =>
    lengthFaults(stated.request, body).length === 0 && checker.Check(withStandIns(stated.request, body));
  const accepted = (request: unknown): Static<Request> => {
    const body = knownFields(stated.request, request);
    const isSound = isAccepted(body);
    const ofSchema = isSound ? [] : faultsOfSchema(stated.request, checker, body);
    const faults = [...ofSchema, ...faultsOfRules(stated, body, ofSchema)];
    if (!isSound || faults.length > 0) throw invalid(faults);
    return body;
  };
  return {
    route: stated,
    ...(judgeRight && {
      judgeRight: async (call) => await judgeRight({ ...call, request: accepted(call.request) }),
    }),
    handle: async (call) => {
      const body = accepted(call.request);
      const tracking = trackingOf(body);
      try {
        return await handle({ ...call, request: body, ...(tracking && { tracking }) });
      } catch (error) {
        const named = namingField(error, stated.inputs ?? {}, fieldsOf(body));
        throw stated.refusesInputsAsRequest === true ? asRequestFault(named) : named;
      }
    },
  };
};

/** The faults of a refused body by its schema. A list with too many items has this one fault alone. */
const faultsOfSchema = (schema: TSchema, checker: Checker, body: unknown): readonly RequestFault[] => {
  const lengths = lengthFaults(schema, body);
  const others = explain(schema, checker.Errors(withStandIns(schema, body)));
  return [...lengths, ...others.filter(({ field }) => lengths.every((fault) => fault.field !== field))];
};

/** Skips rule faults of a field that the schema has refused already. */
const faultsOfRules = (
  { rules }: Route,
  body: unknown,
  ofSchema: readonly RequestFault[],
): readonly RequestFault[] => {
  const fields = fieldsOf(body);
  const faults = rules?.(fields) ?? [];
  return faults.filter(({ field }) => !ofSchema.some((fault) => fault.field === field));
};

const fieldsOf = (body: unknown): UncheckedFields => (isFields(body) ? body : {});

const isFields = (body: unknown): body is UncheckedFields =>
  typeof body === "object" && body !== null && !Array.isArray(body);

const invalid = (faults: readonly RequestFault[]): Failure => {
  const [first] = faults;
  const code = faults.find((fault) => fault.code === 1102)?.code ?? first?.code;
  return new Failure("request_invalid", {
    errors: faults
      .slice(0, faultsMax)
      .map(({ field, message }) => (field === "" ? message : `${field}: ${message}`)),
    ...(code !== undefined && { code }),
  });
};
