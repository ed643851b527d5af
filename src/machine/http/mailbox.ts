import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Failure, type FailureCode } from "#contract/failure";
import { listMailboxRoute } from "#contract/mailbox.routes";
import { makeAddressLimit } from "./address-limit.ts";
import { mailboxPage, mailboxPageSecurity, mailboxScript } from "./mailbox-page.ts";
import type { OpenMailbox, ServerLimits } from "./options.ts";
import { admit, type EndpointContext } from "./serve-endpoint.ts";

/** The live stream of the page. Its key is a header, so that no address holds it. */
const streamPath = "/operator/mailbox/stream";

/** Paths of serveMailbox. */
export const mailboxPages = ["/mailbox", "/mailbox/page.js", streamPath] as const;

/** Our choice: some persons, each with one page or two. */
const streamsMax = 32;
/** Shorter than the idle time of load balancers. It also bounds the time that a stream delays a drain. */
const heartbeatMs = 1_000;
/** The page then opens a new stream. */
const streamMsMax = 15 * 60_000;
/** A reader that takes nothing more than this behind is ended. */
const unreadBytesMax = 4 * 2 ** 20;

type Context = EndpointContext & { readonly limits: Pick<ServerLimits, "mailboxLoads"> };

/**
 * Serves the page of the mailbox and its live stream (server-sent events). The page needs no key, so that
 * each address has a budget; the stream counts for its key.
 */
export const serveMailbox = (app: FastifyInstance, mailbox: OpenMailbox, context: Context): void => {
  const loads = makeAddressLimit(context.limits.mailboxLoads, context.clock);
  const naming = context.contexts.naming("mailbox");
  // The numbers of messages begin anew with each process.
  const process = randomUUID();
  let streams = 0;
  app.get("/mailbox", naming, async (request, reply) => {
    loads.take(request.ip);
    return reply
      .header("content-security-policy", mailboxPageSecurity)
      .type("text/html; charset=utf-8")
      .send(mailboxPage);
  });
  app.get("/mailbox/page.js", naming, async (request, reply) => {
    loads.take(request.ip);
    return reply.type("text/javascript; charset=utf-8").send(mailboxScript);
  });
  app.route({
    method: "GET",
    url: streamPath,
    exposeHeadRoute: false,
    onRequest: async (request) => {
      await admit({ route: { ...listMailboxRoute, name: "mailboxStream" } }, context, request);
    },
    handler: async (request, reply) => {
      const { caller, left } = context.contexts.of(request);
      if (caller === undefined) throw new Error("A stream was opened without a caller");
      mailbox.admit(caller);
      if (streams >= streamsMax) throw new Failure("rate_limited", { retryAfterSeconds: 10 });
      streams += 1;
      const raw = startStream(reply, process);
      const watches = [untilDrain(raw, context), untilRefused(request, context)];
      const ending = AbortSignal.any([
        left,
        AbortSignal.timeout(streamMsMax),
        ...watches.map(({ signal }) => signal),
      ]);
      const following = mailbox.follow(caller, afterOf(request, process), ending);
      try {
        for await (const messages of following) write(raw, messages);
      } finally {
        streams -= 1;
        for (const { stop } of watches) stop();
        raw.end();
      }
    },
  });
};

/** A reader names the process of its last message. The numbers of another process count nothing here. */
const afterOf = ({ query }: FastifyRequest, process: string): number => {
  const fields = new Map<string, unknown>(Object.entries(Object(query)));
  if (fields.get("process") !== undefined && fields.get("process") !== process) return 0;
  const after = fields.get("after");
  return typeof after === "string" && /^\d{1,15}$/u.test(after) ? Number(after) : 0;
};

/** From here on the answer is written past the framework, with the headers that every answer has. */
const startStream = (reply: FastifyReply, process: string): ServerResponse => {
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  // A comment, which readers of messages alone pass over.
  raw.write(`: process ${process}\n\n`);
  return raw;
};

/** Aborts its signal for a cause that it looks for now and then, until it is stopped. */
type Watch = { readonly signal: AbortSignal; readonly stop: () => void };

/**
 * Aborts when the service drains, or when the reader takes nothing. Sends a comment meanwhile, which keeps
 * the line.
 */
const untilDrain = (raw: ServerResponse, { isDraining }: Pick<EndpointContext, "isDraining">): Watch => {
  const ending = new AbortController();
  const heartbeat = setInterval(() => {
    if (isDraining() || raw.writableLength > unreadBytesMax) ending.abort();
    else raw.write(": \n\n");
  }, heartbeatMs);
  return { signal: ending.signal, stop: () => clearInterval(heartbeat) };
};

/** Our choice: a key that was revoked opens calls as long (`keyCacheMs`). */
const judgeMs = 3_000;

/**
 * Answers that say that the key does not open the stream. An outage, or any other failure, says nothing of
 * the key.
 */
const refusals: readonly FailureCode[] = ["unauthorized", "scope_missing"];

/**
 * Aborts when the key of the stream no longer opens it: a stream outlives the admission that it began with.
 */
const untilRefused = (request: FastifyRequest, context: Context): Watch => {
  const ending = new AbortController();
  const judge = async (): Promise<void> => {
    try {
      const key = request.headers["x-api-key"];
      await context.authenticate({
        key: typeof key === "string" ? key : undefined,
        scope: listMailboxRoute.scope,
        remoteAddress: request.ip,
      });
    } catch (error) {
      if (error instanceof Failure && refusals.includes(error.code)) ending.abort(error);
    }
  };
  const timer = setInterval(() => void judge(), judgeMs);
  return { signal: ending.signal, stop: () => clearInterval(timer) };
};

const write = (raw: ServerResponse, messages: readonly { readonly number: number }[]): void => {
  for (const message of messages) raw.write(`id: ${message.number}\ndata: ${JSON.stringify(message)}\n\n`);
};
