import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Failure } from "#contract/failure";
import { makeGuessLimit } from "./guess-limit.ts";
import type { ReadAsset, ServerLimits } from "./options.ts";
import type { RequestContexts } from "./request-context.ts";
import type { Works } from "./work.ts";

/** Path of the images of operations. Its links are signed, so that it takes no API key. */
export const assetPath = "/assets/{id}";

const routerPath = "/assets/:id";

type Context = {
  readonly contexts: RequestContexts;
  readonly works: Works;
  readonly limits: Pick<ServerLimits, "wrongLinks">;
  readonly clock: () => Date;
  readonly isDraining: () => boolean;
};

/**
 * Serves a kept image to the holder of a pre-signed link. A link that does not work, for whatever reason, gets the same
 * answer to the byte, until its address has sent too many of them: then no link is looked at, and one that works waits too, unless the
 * address has used it within the hour. A link that works gives back what it took of the budget. No HEAD: every answer is a use, which the
 * evidence holds.
 */
export const serveAssets = (
  app: FastifyInstance,
  readAsset: ReadAsset,
  { contexts, works, limits, clock, isDraining }: Context,
): void => {
  const guesses = makeGuessLimit(limits.wrongLinks, clock);
  const read = async (request: FastifyRequest) => {
    const link = linkOf(request);
    const guess = guesses.begin(request.ip, createHash("sha256").update(JSON.stringify(link)).digest("hex"));
    try {
      const asset = await readAsset(link);
      guess.right();
      return asset;
    } catch (error) {
      if (error instanceof Failure && error.code === "not_found") guess.wrong();
      else guess.undone();
      throw error;
    }
  };
  app.route({
    method: "GET",
    url: routerPath,
    exposeHeadRoute: false,
    ...contexts.naming("asset"),
    handler: async (request, reply) => {
      if (isDraining()) throw new Failure("shutting_down");
      const { left } = contexts.of(request);
      const { contentType, bytes } = await works.run(left, () => read(request));
      return reply.type(contentType).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
  });
};

const linkOf = ({ params, query }: FastifyRequest) => ({
  id: textIn(params, "id"),
  expires: textIn(query, "expires"),
  signature: textIn(query, "signature"),
});

/** A field that is absent, or given twice, is empty: then the link does not work. */
const textIn = (fields: unknown, name: string): string => {
  const value = new Map<string, unknown>(Object.entries(Object(fields))).get(name);
  return typeof value === "string" ? value : "";
};
