import { createServer } from "node:http";
import { expect, it } from "vitest";
import { makeClient } from "./client.ts";
import { call } from "./onboarding.ts";

/** What a call says of a server that answers with this status. */
const failureOf = async (status: number): Promise<unknown> => {
  const server = createServer((_request, response) => {
    response.writeHead(status).end(JSON.stringify({ message: "Request timed out" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  try {
    return await call(makeClient(`http://127.0.0.1:${address.port}`, "key"), "/services/x", {}).catch(
      (error: unknown) => (error instanceof Error ? error.message : error),
    );
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
};

it("a call of the demo that times out names the busy machine and the next step", async () => {
  expect(await failureOf(504)).toMatch(
    /^\/services\/x answered 504\. The machine is busy\. Run it again, or set IDEM_REQUEST_TIMEOUT_MS/,
  );
  expect(await failureOf(503)).toMatch(/^\/services\/x answered 503: /);
});
