import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "#contract/endpoint";
import type { CallLog, LogLevel } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/** What is known of one request while it is here. */
export type Visit = {
  readonly requestId: string;
  readonly receivedAt: Date;
  readonly startedMs: number;
  route: string;
  bytesIn: number;
  caller?: Caller;
  failure?: string;
  /** Level of its line where the status does not decide it. */
  logLevel?: LogLevel;
};

export type Visits = {
  readonly open: (request: FastifyRequest, reply: FastifyReply) => Visit;
  readonly of: (request: FastifyRequest) => Visit;
  /** Options of a page that is no endpoint: its name in log and metrics, and the level of its lines. */
  readonly naming: (
    route: string,
    logLevel?: LogLevel,
  ) => { readonly onRequest: (request: FastifyRequest) => Promise<void> };
};

/** Status of a request whose caller left before the answer; never sent, only counted. */
const callerLeft = 499;

/** Of a request whose path or method does not exist. */
const unknownRoute = "unknown";

/**
 * Opens a visit per request and, when its socket is done with it, counts and logs it exactly once. A broken
 * connection ends with `close` but never with `finish`, so both are watched.
 */
export const makeVisits = (metrics: Metrics, log: CallLog, clock: () => Date): Visits => {
  const visits = new WeakMap<FastifyRequest, Visit>();
  const of = (request: FastifyRequest): Visit => {
    const visit = visits.get(request);
    if (visit === undefined) throw new Error("A request was handled that no hook had seen");
    return visit;
  };
  return {
    open: (request, reply) => {
      const visit: Visit = {
        requestId: request.id,
        receivedAt: clock(),
        startedMs: performance.now(),
        route: unknownRoute,
        bytesIn: 0,
      };
      visits.set(request, visit);
      metrics.callStarted();
      once(reply, (isAnswered) => finish(metrics, log, visit, reply, isAnswered));
      return visit;
    },
    of,
    naming: (route, logLevel) => ({
      onRequest: async (request) => {
        const visit = of(request);
        visit.route = route;
        if (logLevel !== undefined) visit.logLevel = logLevel;
      },
    }),
  };
};

/** Length of the answer's body. The framework hands its headers to the socket past the raw reply, so only it knows. */
const bytesOf = (reply: FastifyReply): number =>
  reply.request.method === "HEAD" ? 0 : Number(reply.getHeader("content-length") ?? 0);

const finish = (
  metrics: Metrics,
  log: CallLog,
  visit: Visit,
  reply: FastifyReply,
  isAnswered: boolean,
): void => {
  const status = isAnswered ? reply.raw.statusCode : callerLeft;
  const ms = performance.now() - visit.startedMs;
  metrics.callFinished(visit.route, status, ms / 1000);
  if (visit.failure !== undefined) metrics.failureMet(visit.route, visit.failure);
  log.call(
    {
      requestId: visit.requestId,
      tenantId: visit.caller?.tenantId,
      keyId: visit.caller?.keyId,
      route: visit.route,
      status,
      ms: Math.round(ms * 10) / 10,
      failure: visit.failure,
      bytesIn: visit.bytesIn,
      bytesOut: isAnswered ? bytesOf(reply) : 0,
    },
    visit.logLevel,
  );
};

const once = (reply: FastifyReply, act: (isAnswered: boolean) => void): void => {
  let isDone = false;
  const end = (isAnswered: boolean) => {
    if (!isDone) act(isAnswered);
    isDone = true;
  };
  reply.raw.once("finish", () => end(true));
  reply.raw.once("close", () => end(false));
};
