import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { Failure, type FailureCode } from "./failure.ts";

/** What a key may do. A key carries any number of them. */
export type Scope = "face" | "document" | "token" | "user" | "registry" | "signing" | "tracking" | "clearing";

/** One operation of the interface: wire shape, rights and declared failures. */
export type Route<Request extends TSchema = TSchema, Response extends TSchema = TSchema> = {
  readonly name: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly scope: Scope;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly request: Request;
  readonly response: Response;
  readonly failures: readonly FailureCode[];
  readonly deprecated?: boolean;
};

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
  readonly signal: AbortSignal;
  readonly appName?: string;
  readonly family?: string;
  /** Milliseconds since the request arrived, for `serviceTime`. */
  readonly elapsedMs: () => number;
};

/** A route with its work. `handle` takes an unchecked body: the check is inside. */
export type Endpoint = {
  readonly route: Route;
  readonly handle: (call: Call<unknown>) => Promise<unknown>;
};

/** Joins a route with its handler; the handler sees only bodies that the route's schema accepts. */
export const implement = <Request extends TSchema, Response extends TSchema>(
  route: Route<Request, Response>,
  handle: (call: Call<Static<Request>>) => Promise<Static<Response>>,
): Endpoint => {
  const request = Compile(route.request);
  return {
    route,
    handle: async (call) => {
      const body = call.request;
      if (!request.Check(body)) {
        throw new Failure("request_invalid", { errors: request.Errors(body).map(sentence) });
      }
      return await handle({ ...call, request: body });
    },
  };
};

const sentence = (error: { readonly instancePath: string; readonly message: string }): string => {
  const field = error.instancePath.slice(1).replaceAll("/", ".");
  return field === "" ? error.message : `${field}: ${error.message}`;
};
