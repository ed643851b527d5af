import type { FastifyInstance, FastifyRequest } from "fastify";
import { Failure } from "#contract/failure";
import type { ReadAsset } from "./options.ts";
import type { RequestContexts } from "./request-context.ts";
import type { Works } from "./work.ts";

/** Path of the images of operations. Its links are signed, so that it takes no API key. */
export const assetPath = "/assets/{id}";

const routerPath = "/assets/:id";

type Context = {
  readonly contexts: RequestContexts;
  readonly works: Works;
  readonly isDraining: () => boolean;
};

/**
 * Serves a kept image to the holder of a pre-signed link. A link that does not work, for whatever reason, gets the same
 * answer to the byte. No HEAD: every answer is a use, which the evidence holds.
 */
export const serveAssets = (
  app: FastifyInstance,
  readAsset: ReadAsset,
  { contexts, works, isDraining }: Context,
): void => {
  app.route({
    method: "GET",
    url: routerPath,
    exposeHeadRoute: false,
    ...contexts.naming("asset"),
    handler: async (request, reply) => {
      if (isDraining()) throw new Failure("shutting_down");
      const { left } = contexts.of(request);
      const { contentType, bytes } = await works.run(left, () => readAsset(linkOf(request)));
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
