import type { FastifyInstance, FastifyRequest } from "fastify";
import { Failure } from "#contract/failure";
import { makeAddressLimit } from "./address-limit.ts";
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
 * Serves a kept image to the holder of a pre-signed link. A link that does not work, for whatever reason,
 * gets the same answer to the byte: 404, and 429 once its address has sent too many of them. A link that
 * works takes nothing and is always served (decision 64). No HEAD: every answer is a use, which the evidence
 * holds.
 */
export const serveAssets = (
  app: FastifyInstance,
  readAsset: ReadAsset,
  { contexts, works, limits, clock, isDraining }: Context,
): void => {
  const wrong = makeAddressLimit(limits.wrongLinks, clock);
  const read = async (request: FastifyRequest) => {
    try {
      return await readAsset(linkOf(request));
    } catch (error) {
      if (error instanceof Failure && error.code === "not_found") wrong.take(request.ip);
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
