import { createServer, type IncomingMessage } from "node:http";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeEgress } from "#machine/egress/make-egress";
import { makeExport } from "./export.ts";

type Seen = {
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

let seen: Seen[];
let status: number;
let collector: ReturnType<typeof createServer>;
let url: string;

beforeEach(async () => {
  [seen, status] = [[], 200];
  collector = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      seen.push({ url: request.url, headers: request.headers, body: Buffer.concat(parts).toString() });
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  collector.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = collector.address();
  const port = typeof address === "object" && address !== null ? address.port : expect.unreachable();
  url = `http://127.0.0.1:${port}/v1/traces`;
});
afterEach(() => {
  collector.closeAllConnections();
  collector.close();
});

const span = {
  traceId: "a".repeat(32),
  spanId: "b".repeat(16),
  name: "identity",
  method: "POST",
  status: 200,
  startedAt: new Date(0),
  ms: 1,
  requestId: "r",
};
const open = (allow: readonly string[]) =>
  makeExport({
    egress: makeEgress({ allow }),
    url,
    authorization: "Bearer x",
    resource: { version: "0", instance: "i" },
  });

it("posts the spans as JSON, with the authorization of the settings", async () => {
  await open(["127.0.0.1"])([span]);
  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatchObject({
    url: "/v1/traces",
    headers: { "content-type": "application/json", authorization: "Bearer x" },
  });
  expect(JSON.parse(seen[0]!.body).resourceSpans[0].scopeSpans[0].spans[0]).toMatchObject({
    traceId: span.traceId,
    spanId: span.spanId,
  });
});

it.each([400, 429, 503])("fails where the collector answers %d", async (answered) => {
  status = answered;
  await expect(open(["127.0.0.1"])([span])).rejects.toThrow(`answered ${answered}`);
});

it("reaches no address of the own network that the settings do not allow", async () => {
  await expect(open([])([span])).rejects.toThrow();
  expect(seen).toEqual([]);
});
