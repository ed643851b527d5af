/**
 * Spans as a request of the OpenTelemetry protocol over HTTP with JSON (OTLP 1.x, ExportTraceServiceRequest).
 */
import type { CallSpan } from "#machine/http/call-span";

/** The process that made the spans. */
export type Resource = { readonly version: string; readonly instance: string };

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });

/** Kind SERVER, and the status of a span whose call ended with an error of the service (trace.proto). */
const kindServer = 2;
const statusError = 2;

/** Nanoseconds since 1970. 64-bit integers are decimal texts in JSON. */
const nanoseconds = (ms: number): string => `${BigInt(Math.round(ms * 1000)) * 1000n}`;

const spanOf = (span: CallSpan) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentId !== undefined && { parentSpanId: span.parentId }),
  name: span.name,
  kind: kindServer,
  startTimeUnixNano: nanoseconds(span.startedAt.getTime()),
  endTimeUnixNano: nanoseconds(span.startedAt.getTime() + span.ms),
  attributes: [
    text("http.request.method", span.method),
    { key: "http.response.status_code", value: { intValue: String(span.status) } },
    text("idem.request_id", span.requestId),
    ...(span.tenantId === undefined ? [] : [text("idem.tenant_id", span.tenantId)]),
    ...(span.keyId === undefined ? [] : [text("idem.key_id", span.keyId)]),
    ...(span.failure === undefined ? [] : [text("error.type", span.failure)]),
  ],
  ...(span.status >= 500 && { status: { code: statusError } }),
});

export const writeSpans = (resource: Resource, spans: readonly CallSpan[]): Uint8Array =>
  Buffer.from(
    JSON.stringify({
      resourceSpans: [
        {
          resource: {
            attributes: [
              text("service.name", "idem"),
              text("service.version", resource.version),
              text("service.instance.id", resource.instance),
            ],
          },
          scopeSpans: [{ scope: { name: "idem", version: resource.version }, spans: spans.map(spanOf) }],
        },
      ],
    }),
  );
