import { createReadStream, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { Failure } from "#contract/failure";
import { writeCollection } from "./collection.ts";
import { findFailure, writeFailurePage } from "./errors-page.ts";
import { toYaml, writeOpenApi } from "./openapi.ts";
import type { ServerOptions } from "./options.ts";
import type { RequestContexts } from "./request-context.ts";

/** The reader's own browser build, beside its module entry. */
const readerFile = fileURLToPath(
  new URL("./browser/standalone.js", import.meta.resolve("@scalar/api-reference")),
);

const readerBytes = statSync(readerFile).size;

/**
 * The reader uses inline styles. It may fetch only from this service: no fonts, proxies or usage reports of
 * the reader leave the operator's network, with any of its defaults.
 */
const contentSecurity = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Idem API</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<noscript>The reference needs JavaScript; the same text is at <a href="/openapi.yaml">/openapi.yaml</a>.</noscript>
<script src="/docs/reader.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `Scalar.createApiReference("#reference", {
  url: "/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: "yaml",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
});
`;

const script = "text/javascript; charset=utf-8";
const dayCache = "public, max-age=86400";

/** Paths of serveDocs, except the pages of failures. */
export const docsPages = [
  "/",
  "/docs",
  "/docs/",
  "/docs/start.js",
  "/docs/reader.js",
  "/docs/collection.json",
  "/openapi.json",
  "/openapi.yaml",
] as const;

/**
 * Serves /, /docs/ (redirects), /docs, its collection, /openapi.json, /openapi.yaml and /errors/{failure}, all from
 * this machine.
 */
export const serveDocs = (
  app: FastifyInstance,
  options: Pick<ServerOptions, "endpoints" | "version" | "publicUrl">,
  contexts: Pick<RequestContexts, "naming">,
): void => {
  const docs = contexts.naming("docs");
  const openapi = contexts.naming("openapi");
  const errors = contexts.naming("errors");
  const routes = options.endpoints.map((endpoint) => endpoint.route);
  const document = writeOpenApi(routes, options.version, options.publicUrl);
  const json = JSON.stringify(document);
  app.get("/openapi.json", openapi, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(json),
  );
  app.get("/openapi.yaml", openapi, async (_request, reply) =>
    reply.type("application/yaml; charset=utf-8").send(toYaml(document)),
  );
  const collection = JSON.stringify(writeCollection(options.publicUrl));
  app.get("/docs/collection.json", docs, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(collection),
  );
  for (const path of ["/", "/docs/"]) {
    app.get(path, docs, async (_request, reply) => reply.redirect("/docs"));
  }
  app.get("/docs", docs, async (_request, reply) =>
    reply.header("content-security-policy", contentSecurity).type("text/html; charset=utf-8").send(page),
  );
  app.get("/docs/start.js", docs, async (_request, reply) => reply.type(script).send(start));
  app.get("/docs/reader.js", docs, async (_request, reply) =>
    reply
      .header("cache-control", dayCache)
      .header("content-length", readerBytes)
      .type(script)
      .send(createReadStream(readerFile)),
  );
  app.get<{ Params: { failure: string } }>("/errors/:failure", errors, async (request, reply) => {
    const code = findFailure(request.params.failure);
    if (code === undefined) throw new Failure("path_unknown");
    return reply.type("text/markdown; charset=utf-8").send(writeFailurePage(code, routes));
  });
};
