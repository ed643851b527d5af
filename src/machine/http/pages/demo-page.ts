import type { FastifyInstance } from "fastify";
import { makeAddressLimit } from "../address-limit.ts";
import type { ServerLimits } from "../options.ts";
import type { RequestContexts } from "../request-context.ts";
import { demoStyle } from "./demo-style.ts";
import { pageStyle } from "./page-style.ts";
import { policyOf, withoutScript, writePage } from "./shell.ts";

const stylePath = "/demo/page.css";

/** Paths of serveDemoPage. */
export const demoPages = ["/demo", stylePath] as const;

/**
 * Scripts, styles, worker and calls of this service alone; `blob:` is an image that the page shows or lets
 * save.
 */
const policy = policyOf({
  script: "'self'",
  style: "'self'",
  connect: "'self'",
  worker: "'self'",
  img: "blob: data:",
});

/** The script fills the page (widget/demo/). The key of the person stays in its memory. */
const page = writePage({
  title: "Idem demo",
  isPrivate: true,
  head: [
    '<link rel="stylesheet" href="demo/page.css">',
    '<script type="module" src="widget/demo-page.js"></script>',
    '<script type="module" src="widget/idem.js"></script>',
  ],
  body: withoutScript,
});

type Context = {
  readonly contexts: RequestContexts;
  readonly clock: () => Date;
  readonly limits: Pick<ServerLimits, "demoLoads">;
};

/**
 * Serves the page of the demo: a whole onboarding in the browser, with a key of the test environment. The
 * page needs no key and asks no store. Each address has a budget.
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
