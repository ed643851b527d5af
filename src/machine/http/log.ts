import { Failure, type FailureCode } from "#contract/failure";

export type LogSink = (line: string) => void;

/** From least to most severe; a line is written from the configured level up. */
const severities = ["debug", "info", "warn", "error", "fatal", "silent"] as const;

export type LogLevel = (typeof severities)[number];

/** All fields of a line about a call. Other fields are not written. */
export type CallLine = {
  readonly requestId: string;
  /**
   * Id of the trace in the header `traceparent` of the caller, or of the trace that the call began: 32
   * hexadecimal digits.
   */
  readonly traceId?: string | undefined;
  readonly tenantId?: string | undefined;
  readonly keyId?: string | undefined;
  /** The transaction that the answer states: it leads from a request id to the record of the call. */
  readonly transactionId?: string | undefined;
  /** Name of the route, never the URL: queries carry tokens. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly failure?: string | undefined;
  /** The fault of the key, for a 401. */
  readonly reason?: string | undefined;
  readonly bytesIn: number;
  readonly bytesOut: number;
};

/** The place of an error: a call, or a background part of the service. */
type ErrorLine = (
  | { readonly requestId: string; readonly route: string }
  | { readonly component: string; readonly subject?: string | undefined }
) & { readonly error: unknown; readonly note: string };

export type CallLog = {
  /** Without a level, the status decides it. */
  readonly call: (line: CallLine, level?: LogLevel) => void;
  /**
   * An error of the service itself, with the stack of its causes. An outage of a system that it needs is
   * written without a stack, once a minute.
   */
  readonly error: (line: ErrorLine) => void;
  /** An event in the life of the service, without secrets or personal data. */
  readonly service: (message: string, facts: Readonly<Record<string, string | number | boolean>>) => void;
};

const causesMax = 4;
const framesMax = 20;
const messageMax = 300;

/** Engines quote unreadable input, so all quoted parts are removed from a message. */
const withoutQuotes = (message: string): string =>
  message.replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, "…").slice(0, messageMax);

const framesOf = (error: Error): readonly string[] =>
  (error.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, framesMax)
    .map((line) => line.trim());

const causeChain = (error: unknown): readonly Error[] => {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < causesMax; at = at.cause) chain.push(at);
  return chain;
};

/** A cause that came from a thread is one line of text. */
const lastLineOf = ({ cause }: Error): readonly string[] =>
  typeof cause === "string" ? [withoutQuotes(cause)] : [];

const causesOf = (error: unknown): readonly unknown[] => {
  const chain = causeChain(error);
  const last = chain.at(-1);
  return [
    ...chain.map((at) => {
      const code = at instanceof Failure ? at.code : undefined;
      return { name: at.name, code, message: withoutQuotes(at.message), stack: framesOf(at) };
    }),
    ...(last === undefined ? [] : lastLineOf(last).map((message) => ({ message }))),
  ];
};

/** Failures of systems that the service needs. While one lasts, every call that needs it fails alike. */
const outages: readonly FailureCode[] = [
  "store_unavailable",
  "timestamp_failed",
  "signer_unusable",
  "upstream_failed",
  "timed_out",
];

type Outage = { readonly code: FailureCode; readonly cause: string };

const lineOf = (cause: Error): string => {
  const code = "code" in cause && typeof cause.code === "string" ? ` (${cause.code})` : "";
  return `${cause.name}${code}: ${withoutQuotes(cause.message)}`;
};

/** The outage of an external system behind an error; its stack would show only the caller. */
const outageOf = (error: unknown): Outage | undefined => {
  const causes = causeChain(error);
  const at = causes.findIndex((cause) => cause instanceof Failure && outages.includes(cause.code));
  const failure = causes[at];
  if (!(failure instanceof Failure)) return undefined;
  const { country, reason } = failure.facts;
  const lines = [
    ...[country, reason].filter((fact) => typeof fact === "string"),
    ...causes.slice(at + 1).map(lineOf),
    ...lastLineOf(causes.at(-1) ?? failure),
  ];
  return { code: failure.code, cause: lines.length === 0 ? "no cause" : lines.join("; ") };
};

/** During one outage every call and every poll fails: one line a minute is enough. */
const outageEveryMs = 60_000;

const placeOf = (line: ErrorLine) =>
  "component" in line
    ? { component: line.component, subject: line.subject }
    : { requestId: line.requestId, route: line.route };

/** Number of remembered causes: as many as systems that can fail. */
const outagesMax = 16;

/**
 * Counts suppressed lines since the last line of the same cause; undefined where the line is suppressed too.
 */
const makeThinning = () => {
  const known = new Map<string, { readonly atMs: number; left: number }>();
  return (cause: string, nowMs: number): number | undefined => {
    const last = known.get(cause);
    if (last !== undefined && nowMs - last.atMs < outageEveryMs) {
      last.left += 1;
      return undefined;
    }
    if (known.size >= outagesMax) known.clear();
    known.set(cause, { atMs: nowMs, left: 0 });
    return last?.left ?? 0;
  };
};

/** The fields that a line about a call may have, in their order. */
const callFields = [
  "requestId",
  "traceId",
  "tenantId",
  "keyId",
  "transactionId",
  "route",
  "status",
  "ms",
  "failure",
  "reason",
  "bytesIn",
  "bytesOut",
] as const satisfies readonly (keyof CallLine)[];

/** Writes one JSON line per call. Never writes a body, URL, header or address of a caller. */
export const makeCallLog = (sink: LogSink, clock: () => Date, least: LogLevel = "info"): CallLog => {
  const write = (level: LogLevel, makeLine: () => object): void => {
    if (severities.indexOf(level) < severities.indexOf(least)) return;
    const own = { time: clock().toISOString(), level };
    // A fact of the same name must not hide the level from who filters by it.
    sink(JSON.stringify({ ...own, ...makeLine(), ...own }));
  };
  const thin = makeThinning();
  return {
    call: (line, level) => {
      const ownLevel = line.status >= 500 ? "warn" : "info";
      write(level ?? ownLevel, () => ({
        message: "call",
        ...Object.fromEntries(callFields.map((name) => [name, line[name]])),
      }));
    },
    error: (line) => {
      const { error, note } = line;
      const where = placeOf(line);
      const outage = outageOf(error);
      if (outage === undefined) {
        write("error", () => ({ message: note, ...where, causes: causesOf(error) }));
        return;
      }
      const left = thin(`${outage.code}: ${outage.cause}`, clock().getTime());
      if (left === undefined) return;
      const facts = { failure: outage.code, cause: outage.cause, ...(left > 0 && { leftOut: left }) };
      write("error", () => ({ message: note, ...where, ...facts }));
    },
    service: (message, facts) => write("info", () => ({ message, component: "service", ...facts })),
  };
};
