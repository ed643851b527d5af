import { describe, expect, it } from "vitest";
import type { CallSpan } from "#machine/http/call-span";
import { writeSpans } from "./otlp.ts";
import { batchMax, makeTraces, waitingMax } from "./traces.ts";

const parent = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", parentId: "00f067aa0ba902b7", isSampled: true };
const span: CallSpan = {
  traceId: parent.traceId,
  spanId: "aa".repeat(8),
  parentId: parent.parentId,
  name: "identity",
  method: "POST",
  status: 200,
  startedAt: new Date(1_793_491_200_000),
  ms: 812.3456,
  requestId: "r-1",
};

const open = (
  change: { readonly percent?: number; readonly random?: number; readonly isDown?: boolean } = {},
) => {
  const batches: (readonly CallSpan[])[] = [];
  const errors: unknown[] = [];
  let drawn = 0;
  const traces = makeTraces({
    exportSpans: async (spans) => {
      batches.push(spans);
      if (change.isDown === true) throw new Error("down");
    },
    percent: change.percent ?? 100,
    random: () => change.random ?? 0,
    newHex: (bytes) => String(++drawn).padStart(bytes * 2, "0"),
    onError: (error) => errors.push(error),
  });
  const counts = () =>
    Object.fromEntries(traces.gauges[0]!.read().map(({ labels, value }) => [labels?.["outcome"], value]));
  return { traces, batches, errors, counts };
};

describe("a call", () => {
  it("whose caller records it is a span of the caller's trace", () => {
    const begun = open({ percent: 0 }).traces.begin(parent);
    expect(begun).toEqual({ traceId: parent.traceId, parentId: parent.parentId, spanId: "0000000000000001" });
  });

  it("whose caller does not record it is none", () => {
    expect(open().traces.begin({ ...parent, isSampled: false })).toBeUndefined();
  });

  it.each([
    [10, 0.0999, true],
    [10, 0.1, false],
    [0, 0, false],
    [100, 0.9999, true],
  ])("without a trace begins one in %d of 100 cases: %d", (percent, random, isRecorded) => {
    const begun = open({ percent, random }).traces.begin(undefined);
    expect(begun !== undefined).toBe(isRecorded);
    expect(begun?.parentId).toBeUndefined();
  });
});

describe("spans", () => {
  it("are sent in batches, in their order", async () => {
    const { traces, batches, counts } = open();
    for (let n = 0; n <= batchMax; n++) traces.end({ ...span, status: n });
    await traces.flush();
    expect(batches.map(({ length }) => length)).toEqual([batchMax, 1]);
    expect(batches[1]?.[0]?.status).toBe(batchMax);
    expect(counts()).toEqual({ exported: batchMax + 1, dropped: 0, failed: 0 });
  });

  it("beyond those that may wait are dropped and counted", async () => {
    const { traces, counts } = open();
    for (let n = 0; n < waitingMax + 3; n++) traces.end(span);
    await traces.flush();
    expect(counts()).toEqual({ exported: waitingMax, dropped: 3, failed: 0 });
  });

  it("of a batch that fails are lost and counted, and the next ones are sent", async () => {
    const { traces, errors, counts } = open({ isDown: true });
    traces.end(span);
    await traces.flush();
    traces.end(span);
    await traces.flush();
    expect(counts()).toEqual({ exported: 0, dropped: 0, failed: 2 });
    expect(errors).toHaveLength(2);
  });
});

describe("a request to the collector", () => {
  const read = (change: Partial<CallSpan> = {}) =>
    JSON.parse(
      Buffer.from(writeSpans({ version: "1.2.3", instance: "host/1" }, [{ ...span, ...change }])).toString(),
    );

  it("has the form of OTLP in JSON, with nothing but the fields of the log", () => {
    const { resourceSpans } = read({ tenantId: "t", keyId: "k" });
    expect(resourceSpans[0].resource.attributes).toEqual([
      { key: "service.name", value: { stringValue: "idem" } },
      { key: "service.version", value: { stringValue: "1.2.3" } },
      { key: "service.instance.id", value: { stringValue: "host/1" } },
    ]);
    expect(resourceSpans[0].scopeSpans[0].spans).toEqual([
      {
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentId,
        name: "identity",
        kind: 2,
        startTimeUnixNano: "1793491200000000000",
        endTimeUnixNano: "1793491200812346000",
        attributes: [
          { key: "http.request.method", value: { stringValue: "POST" } },
          { key: "http.response.status_code", value: { intValue: "200" } },
          { key: "idem.request_id", value: { stringValue: "r-1" } },
          { key: "idem.tenant_id", value: { stringValue: "t" } },
          { key: "idem.key_id", value: { stringValue: "k" } },
        ],
      },
    ]);
  });

  it.each([
    [499, undefined],
    [500, { code: 2 }],
  ])("states an error of the service from 500 on: %d", (status, expected) => {
    const [made] = read({ status, failure: "internal_error" }).resourceSpans[0].scopeSpans[0].spans;
    expect(made.status).toEqual(expected);
    expect(made.attributes).toContainEqual({ key: "error.type", value: { stringValue: "internal_error" } });
  });
});
