import type { Draw } from "./draw.ts";
import { type Piece, type RawAnswer, sendRaw } from "./raw.ts";
import type { Attack, AttackCase } from "./run-attack.ts";
import type { Target } from "./target.ts";

/** Bytes on a connection. */
type Raw = {
  readonly name: string;
  readonly pieces: (target: Target) => readonly Piece[];
  /** Most answers that a right server sends; a second one would be the answer to a smuggled request. */
  readonly answersMax?: number;
  /** Whether any answer may be a success. Default no: such bytes are refused. */
  readonly mayPass?: boolean;
  /** No answer is right, too: the request is not complete. */
  readonly mayBeSilent?: boolean;
};

/** 100 Continue and refusals. A server error is a fault. */
const refusals: readonly number[] = [
  400, 401, 403, 404, 405, 408, 411, 413, 414, 415, 417, 422, 426, 429, 431, 505,
];

const isKnown = (status: number, mayPass: boolean): boolean =>
  refusals.includes(status) || status === 503 || (mayPass && [100, 200, 204].includes(status));

/** A refusal names its cause in JSON. */
const bodyFault = ({ text, statuses }: RawAnswer): string | undefined => {
  const [status = 0] = statuses;
  const isJson = /content-type: application\/(problem\+)?json/i.test(text);
  return status >= 400 && !isJson ? `the refusal ${status} has no problem details` : undefined;
};

const judge = (raw: Raw, answer: RawAnswer): readonly string[] => {
  const { statuses } = answer;
  const { answersMax = 1, mayPass = false, mayBeSilent = false } = raw;
  const wrong = statuses.filter((status) => !isKnown(status, mayPass));
  const fault = bodyFault(answer);
  const isSilent = statuses.length === 0 && !answer.isClosed && !mayBeSilent;
  return [
    ...wrong.map((status) => `answered ${status}`),
    ...(statuses.filter((status) => status !== 100).length > answersMax
      ? [`${statuses.length} answers: ${statuses.join()}`]
      : []),
    ...(fault === undefined ? [] : [fault]),
    ...(isSilent ? ["no answer and no end of the connection"] : []),
  ];
};

const caseOf = (raw: Raw): AttackCase => ({
  name: raw.name,
  run: async (target) => judge(raw, await sendRaw(target.port, raw.pieces(target))),
});

const path = "/services/evaluatePassiveLiveness";
const body = '{"imageBuffer":"AAAA"}';
/** A request that must never be answered: it lies in the body of another. */
const smuggled = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";

const head = (target: Target, lines: readonly string[], line = `POST ${path} HTTP/1.1`): string =>
  [line, "Host: a", `x-api-key: ${target.keys.all}`, "Content-Type: application/json", ...lines, "", ""].join(
    "\r\n",
  );

const framed = (name: string, lines: readonly string[], content: string, rest: Partial<Raw> = {}): Raw => ({
  name,
  pieces: (target) => [Buffer.from(head(target, lines) + content, "latin1")],
  ...rest,
});

const chunked = (content: string): string => `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`;

const length = `Content-Length: ${body.length}`;
const transfer = "Transfer-Encoding: chunked";

/** Two lengths for one body: the difference would be read as another request (RFC 9112, 6.3). */
const framing: readonly Raw[] = [
  framed("a length and chunks", ["Content-Length: 5", transfer], `0\r\n\r\n${smuggled}`),
  framed("chunks and a length", [transfer, `Content-Length: ${smuggled.length}`], `0\r\n\r\n${smuggled}`),
  framed("two lengths", [length, "Content-Length: 0"], body + smuggled),
  framed("the same length twice in a line", [`Content-Length: ${body.length}, ${body.length}`], body),
  framed("a negative length", ["Content-Length: -1"], body),
  framed("a length with a sign", [`Content-Length: +${body.length}`], body),
  framed("a length in hex", ["Content-Length: 0x16"], body),
  framed("a length beyond 64 bits", ["Content-Length: 99999999999999999999999"], body),
  framed("a length before a blank", [`Content-Length : ${body.length}`], body),
  framed("an unknown encoding", ["Transfer-Encoding: xchunked", length], body + smuggled),
  framed("two encodings", ["Transfer-Encoding: chunked, identity"], chunked(body) + smuggled),
  framed(
    "an encoding after a tab",
    ["Transfer-Encoding:\tchunked", "Content-Length: 4"],
    `0\r\n\r\n${smuggled}`,
  ),
  framed("a folded header", ["Transfer-Encoding:", " chunked", "Content-Length: 4"], `0\r\n\r\n${smuggled}`),
  framed("a chunk of a negative size", [transfer], "-1\r\n\r\n"),
  framed("a chunk of a huge size", [transfer], "ffffffffffffffffff\r\n"),
  framed("a chunk with an endless extension", [transfer], `1;${"a".repeat(100_000)}`, { mayBeSilent: true }),
  framed("a chunk without a line end", [transfer], `${body.length.toString(16)}\n${body}\n0\n\n`, {
    mayPass: true,
  }),
  framed(
    "trailers that name a length",
    [transfer],
    `${chunked(body).slice(0, -2)}Content-Length: 9\r\n\r\n`,
    { mayPass: true },
  ),
  framed("a body without a length", [], "", { mayPass: true }),
  framed("a line feed in a header", ["a: b\ncontent-length: 9"], "", { mayPass: true, mayBeSilent: true }),
  framed("a carriage return in a header", ["a: b\rc: d"], ""),
  framed("a NUL in a header", ["a: b\0"], ""),
  framed("a name with a blank", ["a b: c"], ""),
];

const line = (name: string, request: string, rest: Partial<Raw> = {}): Raw => ({
  name,
  pieces: (target) => [Buffer.from(head(target, [], request), "latin1")],
  ...rest,
});

const lines: readonly Raw[] = [
  line("an absolute address", `POST http://other.example${path} HTTP/1.1`, { mayPass: true }),
  line("an address of another scheme", `GET file:///etc/passwd HTTP/1.1`),
  line("CONNECT", "CONNECT other.example:443 HTTP/1.1"),
  line("TRACE", `TRACE ${path} HTTP/1.1`),
  line("an unknown method", `BREW ${path} HTTP/1.1`),
  line("a method in lower case", `post ${path} HTTP/1.1`),
  line("a long method", `${"A".repeat(9000)} ${path} HTTP/1.1`),
  line("HEAD of an operation", `HEAD ${path} HTTP/1.1`),
  line("OPTIONS of everything", "OPTIONS * HTTP/1.1", { mayPass: true }),
  line("OPTIONS of an operation", `OPTIONS ${path} HTTP/1.1`, { mayPass: true }),
  line("HTTP 0.9", "GET /healthz", { mayPass: true }),
  line("HTTP 9.9", "GET /healthz HTTP/9.9"),
  line("a path without a slash", "GET healthz HTTP/1.1"),
  line("a path upwards", "GET /docs/../../etc/passwd HTTP/1.1"),
  line("an encoded path upwards", "GET /docs/%2e%2e/%2e%2e/etc/passwd HTTP/1.1"),
  line("a NUL in the path", "GET /docs/%00 HTTP/1.1"),
  line("a broken escape", "GET /%zz HTTP/1.1"),
  line("bytes beyond ASCII in the path", "GET /\xff\xfe HTTP/1.1"),
  line("a path of 10,000", `GET /${"a".repeat(10_000)} HTTP/1.1`),
  line("a path of 100,000", `GET /${"a".repeat(100_000)} HTTP/1.1`),
  line("a query of 10,000 fields", `GET /operator/reviews?${"a=1&".repeat(2500)} HTTP/1.1`, {
    mayPass: true,
  }),
  line("a reference of 10,000", `GET /operator/reviews/${"a".repeat(10_000)} HTTP/1.1`),
];

const plain = (name: string, content: string | Buffer, rest: Partial<Raw> = {}): Raw => ({
  name,
  pieces: () => [Buffer.isBuffer(content) ? content : Buffer.from(content, "latin1")],
  ...rest,
});

const others: readonly Raw[] = [
  plain("no host", "GET /healthz HTTP/1.1\r\n\r\n"),
  plain("two hosts", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", { mayPass: true }),
  plain("a host with a script", "GET /healthz HTTP/1.1\r\nHost: <script>\r\n\r\n", { mayPass: true }),
  plain("HTTP 1.0 without a host", "GET /healthz HTTP/1.0\r\n\r\n", { mayPass: true }),
  plain("a TLS hello", Buffer.from("16030100a5010000a10303", "hex")),
  plain("the preface of HTTP 2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  plain(
    "an upgrade to HTTP 2",
    "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAAA\r\n\r\n",
    { mayPass: true },
  ),
  plain(
    "an upgrade to WebSocket",
    "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
    { mayPass: true },
  ),
  plain("an unknown expectation", "GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\n\r\n", {
    mayPass: true,
  }),
  plain("one header of 100 kB", `GET /healthz HTTP/1.1\r\nHost: a\r\na: ${"b".repeat(100_000)}\r\n\r\n`),
  plain("10,000 headers", `GET /healthz HTTP/1.1\r\nHost: a\r\n${"a: b\r\n".repeat(10_000)}\r\n`),
  plain("1,900 headers", `GET /healthz HTTP/1.1\r\nHost: a\r\n${"a:b\r\n".repeat(1900)}\r\n`, {
    mayPass: true,
  }),
  plain("1,000 requests at once", "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1000), {
    mayPass: true,
    answersMax: 1000,
  }),
  plain("a broken request between sound ones", `${smuggled}G E T\r\n\r\n${smuggled}`, {
    mayPass: true,
    answersMax: 2,
  }),
  plain("half a request line", "GET /heal", { mayBeSilent: true }),
  plain("blank lines", "\r\n".repeat(10_000), { mayBeSilent: true }),
  {
    name: "half a body, then the end",
    pieces: (target) => [Buffer.from(head(target, ["Content-Length: 900"]) + body), { end: true }],
  },
  {
    name: "a body that comes one byte at a time",
    pieces: (target) => [
      Buffer.from(head(target, [length])),
      ...Array.from(body).flatMap((byte) => [Buffer.from(byte), { waitMs: 5 }]),
    ],
    mayPass: true,
  },
];

const pieces = (target: Target): readonly string[] => [
  "GET",
  "POST",
  "DELETE",
  " ",
  "\t",
  path,
  "/healthz",
  "/",
  "*",
  "HTTP/1.1",
  "HTTP/1.0",
  "\r\n",
  "\n",
  "\r",
  "\r\n\r\n",
  ":",
  "Host: a\r\n",
  "Connection: keep-alive\r\n",
  "Content-Length: 3\r\n",
  "Content-Length: 0\r\n",
  `${transfer}\r\n`,
  "Content-Type: application/json\r\n",
  `x-api-key: ${target.keys.all}\r\n`,
  "0\r\n\r\n",
  "3\r\nabc\r\n",
  body,
  "\0",
  "\xff",
  "a".repeat(300),
];

/** A request from parts of requests, in any order. */
const shuffled = (draw: Draw): Raw => {
  const order = Array.from({ length: draw.int(1, 25) }, () => draw.int(0, 9999));
  const starts = draw.chance(0.7);
  return {
    name: `parts ${order.join()}`,
    pieces: (target) => {
      const parts = pieces(target);
      const start = starts ? `POST ${path} HTTP/1.1\r\nHost: a\r\n` : "";
      return [Buffer.from(start + order.map((at) => parts[at % parts.length]).join(""), "latin1")];
    },
    mayPass: true,
    mayBeSilent: true,
    answersMax: 25,
  };
};

/** Hostile bytes on the connection: framing, request lines, headers, pipelines, other protocols. */
export const httpAttack: Attack = {
  kind: "http",
  fixed: [...framing, ...lines, ...others].map(caseOf),
  generate: (draw) => caseOf(shuffled(draw)),
};
