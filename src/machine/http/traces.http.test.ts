import { expect, it } from "vitest";
import { goodBody, post, startServer } from "#support/http/harness";
import type { CallSpan, Traces } from "./call-span.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";
const traceparent = `00-${traceId}-${parentId}-01`;

const start = (change: object = {}) => {
  const spans: CallSpan[] = [];
  const traces: Traces = {
    begin: (parent) =>
      parent?.isSampled === false
        ? undefined
        : { spanId: "ab".repeat(8), traceId: "cd".repeat(16), ...(parent && { traceId, parentId }) },
    end: (span) => spans.push(span),
  };
  return { idem: startServer({ traces, ...change }), spans };
};

it("a call with a trace of its caller has the trace in its line, also where nothing is recorded", async () => {
  const idem = startServer();
  const key = idem.makeKey();
  await post(idem, key, goodBody, { traceparent });
  await post(idem, key, goodBody, { traceparent: "canary" });
  const calls = idem.logged().filter(({ message }) => message === "call");
  expect(calls.map((line) => line["traceId"])).toEqual([traceId, undefined]);
  expect(idem.lines.join()).not.toContain("canary");
});

it("a recorded call is one span with the fields of its line, and no probe is one", async () => {
  const { idem, spans } = start();
  const key = idem.makeKey();
  await post(idem, key, goodBody, { traceparent, "x-request-id": "r-7" });
  await post(idem, undefined, goodBody);
  await post(idem, key, goodBody, { traceparent: `00-${traceId}-${parentId}-00` });
  await idem.server.app.inject("/healthz");
  expect(spans).toMatchObject([
    { traceId, parentId, name: "echo", method: "POST", status: 200, requestId: "r-7", tenantId: "tenant-1" },
    { traceId: "cd".repeat(16), name: "echo", status: 401, failure: "unauthorized" },
  ]);
  expect(spans).toHaveLength(2);
  expect(JSON.stringify(spans)).not.toContain(goodBody.image);
  const calls = idem.logged().filter(({ message }) => message === "call");
  expect(calls.map((line) => line["traceId"])).toEqual([traceId, "cd".repeat(16), traceId]);
});
