import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Longest time in which a connection without answers to come is read. */
const lingerMsMax = 30_000;

/**
 * Ends this side of the connection, then reads and drops what still arrives, until the caller ends its side
 * too or the time is over. A server that closes with unread bytes resets the connection, and the reset can
 * destroy the answer on its way (RFC 9112, 9.6).
 */
export const endGently = (socket: Socket, lastBytes = ""): void => {
  socket.end(lastBytes);
  const ended = setTimeout(() => socket.destroy(), lingerMsMax).unref();
  socket.once("close", () => clearTimeout(ended));
};

/**
 * Lets a caller read an answer that comes before the end of its body, if the connection closes after it. Node
 * closes with `destroySoon`.
 */
export const lingerAfter = ({ raw: { complete, socket } }: FastifyRequest, reply: FastifyReply): void => {
  const closes = !reply.raw.shouldKeepAlive || reply.getHeader("connection") === "close";
  if (!complete && closes) socket.destroySoon = () => endGently(socket);
};
