import type { FastifyInstance } from "fastify";
import { makeAddressLimit } from "../address-limit.ts";
import type { ServerLimits } from "../options.ts";
import type { RequestContexts } from "../request-context.ts";
import { demoStyle } from "./demo-style.ts";
import { pageStyle } from "./page-style.ts";

const stylePath = "/demo/page.css";

/** Paths of serveDemoPage. */
export const demoPages = ["/demo", stylePath] as const;

/** Scripts, styles, worker and calls of this service alone; `blob:` is an image that the page shows or lets save. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "img-src blob: data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The script fills the page (widget/demo/). The key of the person stays in its memory. */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Idem demo</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="demo/page.css">
<script type="module" src="widget/demo-page.js"></script>
<script type="module" src="widget/idem.js"></script>
</head>
<body>
<noscript>
<main>
<p lang="es">Esta página necesita JavaScript.</p>
<p lang="en">This page needs JavaScript.</p>
<p lang="pt-BR">Esta página precisa de JavaScript.</p>
</main>
</noscript>
</body>
</html>
`;

type Context = {
  readonly contexts: RequestContexts;
  readonly clock: () => Date;
  readonly limits: Pick<ServerLimits, "demoLoads">;
};

/**
 * Serves the page of the demo: a whole onboarding in the browser, with a key of the test environment. The page needs no key
 * and asks no store. Each address has a budget.
 */
export const serveDemoPage = (app: FastifyInstance, { contexts, clock, limits }: Context): void => {
  const loads = makeAddressLimit(limits.demoLoads, clock);
  const naming = contexts.naming("demoPage");
  app.get("/demo", naming, async (request, reply) => {
    loads.take(request.ip);
    return reply
      .headers({
        "content-security-policy": policy,
        "permissions-policy": "camera=(self), microphone=(), geolocation=()",
      })
      .type("text/html; charset=utf-8")
      .send(page);
  });
  app.get(stylePath, naming, async (request, reply) => {
    loads.take(request.ip);
    return reply.type("text/css; charset=utf-8").send(`${pageStyle}${demoStyle}`);
  });
};
