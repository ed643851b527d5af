import type { FastifyInstance, FastifyRequest } from "fastify";
import { Failure } from "#contract/failure";
import type { ReadLargeBody, ServerLimits } from "./options.ts";
import type { Pacing } from "./pace-reading.ts";
import { assembleBody, readBody } from "./read-json.ts";
import { receiveBody } from "./receive-body.ts";
import type { RequestContexts } from "./request-context.ts";

type BodyReading = {
  readonly contexts: RequestContexts;
  readonly limits: Pick<ServerLimits, "receive" | "threadBodyBytes">;
  readonly pacing: Pick<Pacing, "pace">;
  /** Reads bodies in a thread. If absent, the main thread reads all. */
  readonly readLarge: ReadLargeBody | undefined;
};

/** Undefined for a body in chunks. The parser of HTTP has refused a length that is no number. */
export const statedBytesOf = ({ headers }: Pick<FastifyRequest, "headers">): number | undefined =>
  headers["content-length"] === undefined ? undefined : Number(headers["content-length"]);

/** A compressed body is refused before it is read: its own size would say nothing about its content. */
export const refuseEncoding = ({ headers }: Pick<FastifyRequest, "headers">): void => {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity" && encoding !== "") throw new Failure("encoding_unsupported");
};

/**
 * Receives and reads the JSON body of a call within the limits that its context states. A large one is read
 * in a thread, which takes over its memory.
 */
const makeReadRequest =
  ({ contexts, limits, pacing, readLarge }: BodyReading) =>
  async (request: FastifyRequest): Promise<object> => {
    const context = contexts.of(request);
    const blocks = await receiveBody(request.raw, {
      ...limits.receive,
      statedBytes: statedBytesOf(request),
      bytesMax: context.bodyBytesMax,
      pace: pacing.pace,
      reserve: (bytes) => context.bodyLease?.add(bytes),
    });
    context.bytesIn = blocks.reduce((sum, { length }) => sum + length, 0);
    const isLarge = context.bytesIn > limits.threadBodyBytes;
    const parts =
      isLarge && readLarge !== undefined
        ? await readLarge(blocks, context.isBodyHashed, context.left)
        : readBody(blocks, context.isBodyHashed);
    if (parts.sha256 !== undefined) context.bodySha256 = parts.sha256;
    return assembleBody(parts);
  };

/** Lets the server read JSON bodies, and no others. */
export const addBodyParser = (app: FastifyInstance, reading: BodyReading): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", makeReadRequest(reading));
};
