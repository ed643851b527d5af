import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * Most unanswered requests of one connection. One packet of 64 kB holds 1,800 requests, and Node starts them
 * all before it does anything else. The limit bounds that time.
 */
export const pipelinedMax = 100;

type Pipeline = { waiting: number; isFull: boolean };

const pipelines = new WeakMap<Socket, Pipeline>();

const pipelineOf = (socket: Socket): Pipeline => {
  const known = pipelines.get(socket);
  if (known !== undefined) return known;
  const opened = { waiting: 0, isFull: false };
  pipelines.set(socket, opened);
  return opened;
};

/**
 * Whether a request came behind {@link pipelinedMax} unanswered requests of its connection. The last admitted
 * answer closes the connection, and its caller sends the rest again on another one (RFC 9112, 9.3.2).
 */
export const isBeyondPipeline = ({ raw }: FastifyRequest, reply: FastifyReply): boolean => {
  const pipeline = pipelineOf(raw.socket);
  if (pipeline.isFull) return true;
  pipeline.waiting += 1;
  reply.raw.once("close", () => {
    pipeline.waiting -= 1;
  });
  if (pipeline.waiting === pipelinedMax) {
    pipeline.isFull = true;
    reply.header("connection", "close");
  }
  return false;
};
