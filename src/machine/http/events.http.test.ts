import { expect, it } from "vitest";
import { parse } from "yaml";
import { startServer } from "#support/http/harness";

it("serves the AsyncAPI document with the operator's vendor, and the verification for receivers", async () => {
  const { server } = startServer({ vendor: "acme" });
  const { body, headers } = await server.app.inject({ url: "/asyncapi.yaml" });
  expect(headers["content-type"]).toBe("application/yaml; charset=utf-8");
  expect(parse(body).components.messages.id_captured.name).toBe("com.acme.api.workflows.id_captured.v1");
  const module = await server.app.inject({ url: "/verify-event.js" });
  expect(module.headers["content-type"]).toBe("text/javascript; charset=utf-8");
  expect(module.body).toContain("export { WebhookRefused, verifyEvent, verifyWebhook }");
  expect(module.body).not.toMatch(/^import /mu);
});
