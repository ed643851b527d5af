import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { Failure, type FailureCode } from "./failure.ts";
import { explain, knownFields, type RequestFault } from "./request.ts";
import { trackingFaults } from "./request-rule.ts";

/** What a key may do. A key carries any number of them. */
export const scopes = [
  "face",
  "document",
  "review",
  "token",
  "user",
  "registry",
  "signing",
  "tracking",
  "clearing",
] as const;

export type Scope = (typeof scopes)[number];

/** Top-level fields of a body that no schema has checked yet. */
export type UncheckedFields = Readonly<Record<string, unknown>>;

/** One operation of the interface: wire shape, rights and declared failures. */
export type Route<Request extends TSchema = TSchema, Response extends TSchema = TSchema> = {
  readonly name: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** Parameters in braces (`/a/{id}`) are fields of `request`; so are the query fields of a GET. */
  readonly path: string;
  readonly scope: Scope;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly request: Request;
  readonly response: Response;
  /** Failures of this route's own; the ones that every route shares are in `commonFailures`. */
  readonly failures: readonly FailureCode[];
  /** HTTP statuses of answers by their `serviceResultCode`, where the interface states another than 200. */
  readonly statuses?: Readonly<Record<string, 400 | 401>>;
  /** What one call takes from the key's rate budget; a call that runs networks costs more. Default 1. */
  readonly cost?: number;
  /** Field of the query that carries the key instead of the header. */
  readonly keyInQuery?: string;
  readonly deprecated?: boolean;
  /** Whether a mobile app that calls directly must name itself in the header app-name. */
  readonly needsAppName?: boolean;
  /**
   * Rules that a schema cannot say: conditional fields, tables. Runs on unchecked fields, so that its faults are
   * named together with the schema's.
   */
  readonly rules?: (fields: UncheckedFields) => readonly RequestFault[];
};

/** Failures that any route may meet before or around its work. */
export const commonFailures = [
  "request_invalid",
  "json_unreadable",
  "unauthorized",
  "scope_missing",
  "body_too_large",
  "media_type_unsupported",
  "rate_limited",
  "internal_error",
  "store_unavailable",
  "shutting_down",
  "timed_out",
] as const satisfies readonly FailureCode[];

/** States a route and keeps its types for `implement`. */
export const route = <Request extends TSchema, Response extends TSchema>(
  stated: Route<Request, Response>,
): Route<Request, Response> => stated;

/** Who calls: found from the key, never from the body. */
export type Caller = {
  readonly tenantId: string;
  readonly keyId: string;
  readonly world: "live" | "test";
};

/** One call in progress. `transactionId` is the UUID v4 that the answer's envelope names. */
export type Call<Request> = {
  readonly request: Request;
  readonly caller: Caller;
  readonly transactionId: string;
  readonly requestId: string;
  readonly receivedAt: Date;
  /** Aborts when the caller has gone or the time is over. */
  readonly signal: AbortSignal;
  /** Checked and handed on; the diagnostic keeps it with its transaction. */
  readonly appName?: string;
  /** Checked and handed on; no endpoint of this release keeps or uses it. */
  readonly family?: string;
  /** Milliseconds since the request arrived, for `serviceTime`. */
  readonly elapsedMs: () => number;
};

/** A route with its work. `handle` takes an unchecked body: the check is inside. */
export type Endpoint = {
  readonly route: Route;
  readonly handle: (call: Call<unknown>) => Promise<unknown>;
};

/**
 * Joins a route with its handler. The handler sees only bodies that the route's schema and rules accept, and of
 * these only the fields that the schema names.
 */
export const implement = <Request extends TSchema, Response extends TSchema>(
  stated: Route<Request, Response>,
  handle: (call: Call<Static<Request>>) => Promise<Static<Response>>,
): Endpoint => {
  const request = Compile(stated.request);
  return {
    route: stated,
    handle: async (call) => {
      const body = knownFields(stated.request, call.request);
      const isSound = request.Check(body);
      const ofSchema = isSound ? [] : explain(stated.request, request.Errors(body));
      const faults = [...ofSchema, ...faultsOfRules(stated, body, ofSchema)];
      if (!isSound || faults.length > 0) throw invalid(faults);
      return await handle({ ...call, request: body });
    },
  };
};

/** A field that the schema has refused already is not named again: what a rule would say of it is noise. */
const faultsOfRules = (
  { rules }: Route,
  body: unknown,
  ofSchema: readonly RequestFault[],
): readonly RequestFault[] => {
  const fields = isFields(body) ? body : {};
  const faults = [...trackingFaults(fields), ...(rules?.(fields) ?? [])];
  return faults.filter(({ field }) => !ofSchema.some((fault) => fault.field === field));
};

const isFields = (body: unknown): body is UncheckedFields =>
  typeof body === "object" && body !== null && !Array.isArray(body);

const invalid = (faults: readonly RequestFault[]): Failure => {
  const [first] = faults;
  const code = faults.find((fault) => fault.code === 1102)?.code ?? first?.code;
  return new Failure("request_invalid", {
    errors: faults.map(({ field, message }) => (field === "" ? message : `${field}: ${message}`)),
    ...(code !== undefined && { code }),
  });
};
