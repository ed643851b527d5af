import { createHash, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { Failure } from "#contract/failure";
import { sealingPath } from "./openapi-operations.ts";
import type { ServerOptions } from "./options.ts";
import type { Visits } from "./visit.ts";

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

const mayRead = (access: ServerOptions["metricsAccess"], authorization: string | undefined): boolean => {
  if (typeof access !== "object") return true;
  return timingSafeEqual(sha256(authorization ?? ""), sha256(`Bearer ${access.bearer}`));
};

/** Made by `npm run golden` from src/tokens/seal.ts, so that nobody who starts the service needs a bundler. */
const sealingModule = readFileSync(new URL("../../api/sealing.js", import.meta.url), "utf8");

const openToPages = (seconds: number) => ({
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "cache-control": `public, max-age=${seconds}`,
});

/** Paths that serveOperations serves. */
export const operationsPages = ({
  metricsAccess,
}: Pick<ServerOptions, "metricsAccess">): readonly string[] => [
  "/healthz",
  "/readyz",
  "/.well-known/idem-keys.json",
  sealingPath,
  ...(metricsAccess === "closed" ? [] : ["/metrics"]),
];

/** /healthz, /readyz, /metrics, the published sealing keys and the sealing module. None of them needs an API key. */
export const serveOperations = (
  app: FastifyInstance,
  options: Pick<
    ServerOptions,
    "findHindrances" | "isBroken" | "metrics" | "metricsAccess" | "readPublicKeys"
  >,
  isDraining: () => boolean,
  visits: Visits,
): void => {
  // A probe a second would drown the calls in the log, so that these are seen at debug alone.
  const probe = (route: string) => visits.naming(route, "debug");
  app.get("/healthz", probe("healthz"), async (_request, reply) => {
    const isBroken = options.isBroken?.() ?? false;
    return reply
      .code(isBroken ? 503 : 200)
      .type("application/json")
      .send(JSON.stringify({ status: isBroken ? "broken" : "alive" }));
  });
  app.get("/readyz", probe("readyz"), async (_request, reply) => {
    const hindrances = isDraining() ? ["draining"] : await options.findHindrances();
    const isReady = hindrances.length === 0;
    const body = JSON.stringify({ status: isReady ? "ready" : "not ready", hindrances });
    return reply
      .code(isReady ? 200 : 503)
      .type("application/json")
      .send(body);
  });
  if (options.metricsAccess !== "closed") {
    app.get("/metrics", probe("metrics"), async (request, reply) => {
      if (!mayRead(options.metricsAccess, request.headers.authorization)) throw new Failure("unauthorized");
      const { contentType, text } = await options.metrics.write();
      return reply.type(contentType).send(text);
    });
  }
  // Pages of other origins read keys and module, to seal what only this deployment opens. Nothing in them is secret.
  app.get("/.well-known/idem-keys.json", visits.naming("publicKeys"), async (_request, reply) =>
    reply
      .headers(openToPages(300))
      .type("application/json")
      .send(JSON.stringify(await options.readPublicKeys())),
  );
  app.get(sealingPath, visits.naming("sealing"), async (_request, reply) =>
    reply.headers(openToPages(3_600)).type("text/javascript; charset=utf-8").send(sealingModule),
  );
};
