import type { TraceParent } from "./traceparent.ts";

/** The ids of a span that begins with a call. */
export type BegunSpan = Pick<TraceParent, "traceId"> & {
  readonly spanId: string;
  readonly parentId?: string;
};

/** A call as a span. All of its fields stand in the line of the log too: nothing of a body, URL or header. */
export type CallSpan = BegunSpan & {
  /** Name of the route. */
  readonly name: string;
  readonly method: string;
  readonly status: number;
  readonly startedAt: Date;
  readonly ms: number;
  readonly requestId: string;
  readonly tenantId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly failure?: string | undefined;
};

/** Takes the spans of calls. Implemented by makeTraces, machine/traces/traces.ts. */
export type Traces = {
  /** The ids of a span that is recorded; undefined where it is not. Without a parent a new trace begins. */
  readonly begin: (parent: TraceParent | undefined) => BegunSpan | undefined;
  /** Never waits and never fails. */
  readonly end: (span: CallSpan) => void;
};
