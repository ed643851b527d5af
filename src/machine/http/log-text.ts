/** Lines of the log for a person at a terminal. They hold what the JSON line holds, and nothing else. */

type Line = Readonly<Record<string, unknown>>;

const isPlain = /^[^\p{C}\p{Z}]+( [^\p{C}\p{Z}]+)*$/u;

/** JSON leaves control characters from U+007F on, and those that turn the direction of a text. */
const escaped = (json: string): string =>
  json.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16) ?? ""}}`);

/** A text from outside may hold what moves the cursor or writes over other lines: it is shown as JSON. */
const plain = (value: unknown): string =>
  typeof value === "string" && isPlain.test(value) ? value : escaped(JSON.stringify(value));

const isLine = (value: unknown): value is Line =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const pairs = (line: Line): string =>
  Object.entries(line)
    .filter(([, value]) => value !== undefined && typeof value !== "object")
    .map(([name, value]) => ` ${name}=${plain(value)}`)
    .join("");

/** Name, message and stack of each cause, indented. */
const causesIn = ({ causes }: Line): readonly string[] =>
  (Array.isArray(causes) ? causes : []).filter(isLine).flatMap(({ name, code, message, stack }) => {
    const head = [name, code].filter((part) => part !== undefined).map(plain);
    const frames = Array.isArray(stack) ? stack.map((frame) => `      ${plain(frame)}`) : [];
    return [`    ${[head.join(" "), plain(message)].filter((part) => part !== "").join(": ")}`, ...frames];
  });

/**
 * One line of JSON of the log as text: time (UTC), level, message, then each field as name=value. A call
 * begins with route, status and milliseconds. A line that is no JSON stays as it is.
 */
export const textOfLine = (json: string): string => {
  const line: unknown = JSON.parse(json);
  if (!isLine(line)) return json;
  const { time, level, message, causes: _, component, ...rest } = line;
  const clock = String(time).slice(11, 23);
  const begin = `${clock} ${String(level).toUpperCase().padEnd(5)}`;
  if (message === "call") {
    const { route, status, ms, ...others } = rest;
    return `${begin} ${plain(route)} ${plain(status)} ${plain(ms)} ms${pairs(others)}`;
  }
  const where = component === undefined || component === "service" ? "" : `${plain(component)}: `;
  return [`${begin} ${where}${plain(message)}${pairs(rest)}`, ...causesIn(line)].join("\n");
};
