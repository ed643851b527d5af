import type { Config } from "#machine/config/config";
import type { LogSink } from "#machine/http/log";
import { textOfLine } from "#machine/http/log-text";

/** The part of a stream that a log needs. */
type Output = { readonly isTTY?: boolean; readonly write: (text: string) => unknown };

/**
 * Writes lines of the log in the form of the settings: text to a terminal, JSON to anything else, unless the
 * settings name one.
 */
export const makeLogSink = (
  { logFormat }: Pick<Config, "logFormat">,
  output: Output = process.stdout,
): LogSink => {
  const isText = logFormat === "text" || (logFormat === "auto" && output.isTTY === true);
  return (line) => output.write(`${isText ? textOfLine(line) : line}\n`);
};
