import type { FastifyReply, FastifyRequest } from "fastify";

/** Longest time in which the rest of a body is read and dropped after its answer. */
const lingerMsMax = 30_000;

const closes = (reply: FastifyReply): boolean =>
  !reply.raw.shouldKeepAlive || reply.getHeader("connection") === "close";

/**
 * Lets a caller read an answer that comes before the end of its body. A server that closes with unread bytes resets
 * the connection, and the reset can destroy the answer on its way (RFC 9112, 9.6). So this side ends its half of the
 * connection after the answer, then reads and drops the rest of the body until the caller ends its half too.
 */
export const lingerAfter = ({ raw: { complete, socket } }: FastifyRequest, reply: FastifyReply): void => {
  if (complete || !closes(reply)) return;
  // Node closes a connection in one step. Kept open and without a header, it is closed here in two.
  reply.removeHeader("connection").raw.removeHeader("connection");
  reply.raw.shouldKeepAlive = true;
  reply.raw.once("finish", () => {
    socket.end();
    const ended = setTimeout(() => socket.destroy(), lingerMsMax).unref();
    socket.once("close", () => clearTimeout(ended));
  });
};
