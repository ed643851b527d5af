import { Failure } from "#contract/failure";

export type LogSink = (line: string) => void;

/** From the least severe on; a line is written when it is at least as severe as the level asked for. */
const severities = ["debug", "info", "warn", "error", "fatal", "silent"] as const;

export type LogLevel = (typeof severities)[number];

/** Everything that a line about a call may hold. A field that is not named here is not written. */
export type CallLine = {
  readonly requestId: string;
  readonly tenantId?: string | undefined;
  readonly keyId?: string | undefined;
  /** Name of the route, never the URL: queries carry tokens. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly failure?: string | undefined;
  readonly bytesIn: number;
  readonly bytesOut: number;
};

type ErrorLine = {
  readonly requestId: string;
  readonly route: string;
  readonly error: unknown;
  readonly note: string;
};

export type CallLog = {
  /** The level follows from the status where none is given. */
  readonly call: (line: CallLine, level?: LogLevel) => void;
  /** An error of the service itself, with the stack of its causes. */
  readonly error: (line: ErrorLine) => void;
};

const causesMax = 4;
const framesMax = 20;
const messageMax = 300;

/** Engines quote what they could not read, so everything in quotes is left out of a message. */
const withoutQuotes = (message: string): string =>
  message.replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, "…").slice(0, messageMax);

const framesOf = (error: Error): readonly string[] =>
  (error.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, framesMax)
    .map((line) => line.trim());

const causesOf = (error: unknown): readonly unknown[] => {
  const causes: unknown[] = [];
  for (let at = error; at instanceof Error && causes.length < causesMax; at = at.cause) {
    const code = at instanceof Failure ? at.code : undefined;
    causes.push({ name: at.name, code, message: withoutQuotes(at.message), stack: framesOf(at) });
  }
  return causes;
};

/** Writes one JSON line per call. No body, no URL, no header and no address of a caller is ever written. */
export const makeCallLog = (sink: LogSink, clock: () => Date, least: LogLevel = "info"): CallLog => {
  const write = (level: LogLevel, makeLine: () => object): void => {
    if (severities.indexOf(level) < severities.indexOf(least)) return;
    sink(JSON.stringify({ time: clock().toISOString(), level, ...makeLine() }));
  };
  return {
    call: ({ requestId, tenantId, keyId, route, status, ms, failure, bytesIn, bytesOut }, level) => {
      const ownLevel = status >= 500 && failure !== "not_built" ? "warn" : "info";
      const line = { requestId, tenantId, keyId, route, status, ms, failure, bytesIn, bytesOut };
      write(level ?? ownLevel, () => ({ message: "call", ...line }));
    },
    error: ({ requestId, route, error, note }) =>
      write("error", () => ({ message: note, requestId, route, causes: causesOf(error) })),
  };
};
