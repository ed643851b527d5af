import type { FastifyInstance } from "fastify";
import type { RequestContexts } from "../request-context.ts";
import { pageStyle } from "./page-style.ts";
import { policyOf, withoutScript, writePage } from "./shell.ts";

const stylePath = "/capture/page.css";

/** Paths of serveCapturePage. */
export const capturePages = ["/capture/{sessionId}", stylePath] as const;

/** Scripts, styles, worker and calls of this service alone; `blob:` is the image that the person checks. */
const policy = policyOf({
  script: "'self'",
  style: "'self'",
  connect: "'self'",
  worker: "'self'",
  img: "blob: data:",
});

/**
 * The page of every session: the address names the session, its fragment has the token, which no server sees.
 */
const page = writePage({
  title: "Identity verification",
  isPrivate: true,
  head: [
    '<link rel="stylesheet" href="page.css">',
    '<script type="module" src="../widget/capture-page.js"></script>',
    '<script type="module" src="../widget/idem.js"></script>',
  ],
  body: withoutScript,
});

/**
 * Serves the hosted capture page, for integrators who embed nothing. It needs no key and asks no store, so
 * the answer is the same for every session, known or not. No address has a budget: a refusal costs as much as
 * the page, and would meet a person with a session too, whose token no server sees.
 */
export const serveCapturePage = (app: FastifyInstance, contexts: RequestContexts): void => {
  const naming = contexts.naming("capturePage");
  app.get("/capture/:sessionId", naming, async (_request, reply) =>
    reply
      .headers({
        "content-security-policy": policy,
        "permissions-policy": "camera=(self), microphone=(), geolocation=()",
      })
      .type("text/html; charset=utf-8")
      .send(page),
  );
  app.get(stylePath, naming, async (_request, reply) =>
    reply.type("text/css; charset=utf-8").send(pageStyle),
  );
};
