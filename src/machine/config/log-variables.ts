import { Type } from "typebox";
import { number, secret, text } from "./variable-kinds.ts";

/** Variables of the log and of traces. */
export const logVariables = {
  IDEM_LOG_LEVEL: Type.Enum(["fatal", "error", "warn", "info", "debug", "silent"], {
    default: "info",
    description: "Least severe level of written log lines.",
  }),
  IDEM_LOG_FORMAT: Type.Enum(["auto", "json", "text"], {
    default: "auto",
    description:
      "Form of log lines: JSON, or text for a person. auto writes text to a terminal, and JSON anywhere else. The fields are the same.",
  }),
  IDEM_TRACES_URL: text(
    "Where spans of calls are sent (OpenTelemetry, OTLP over HTTP with JSON). The call goes through the client of all outgoing calls: a collector in the own network needs IDEM_EGRESS_ALLOW. Absent: no call is recorded.",
    "the URL of a collector's traces, such as https://collector.example/v1/traces",
  ),
  IDEM_TRACES_PERCENT: number(
    0,
    100,
    100,
    "Of 100 calls without the header traceparent, those that are recorded. With it the caller decides. Only with IDEM_TRACES_URL.",
  ),
  IDEM_TRACES_AUTHORIZATION: secret(
    "Authorization header for the collector of traces.",
    "a header value such as Bearer …",
  ),
};
