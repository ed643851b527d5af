import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { Operation } from "../../scripts/contract/read-contract.ts";
import type { Draw } from "./draw.ts";
import { takesKey } from "./keys.ts";
import type { Attack, AttackCase } from "./run-attack.ts";
import type { Target } from "./target.ts";

type Headers = Readonly<Record<string, string>>;

type Hostile = {
  readonly name: string;
  /** Made when it is sent: some are large. */
  readonly body: (canary: string) => Buffer;
  readonly headers?: Headers;
  /** The service may end the connection before it has read such a body. */
  readonly mayBreak?: boolean;
  /** The only right status. Absent: any that the contract declares. */
  readonly status?: number;
};

const text = (name: string, body: string | ((canary: string) => string), headers?: Headers): Hostile => ({
  name,
  body: (canary) => Buffer.from(typeof body === "string" ? body : body(canary)),
  ...(headers && { headers }),
});

const megabyte = 1_000_000;
const deep = (open: string, close: string, count: number): string =>
  `{"x":${open.repeat(count)}1${close.repeat(count)}}`;

/** Structure without end: the parser's time grows with it, whatever the fields are. */
const structures: readonly (readonly [name: string, make: (bytes: number) => string])[] = [
  ["nested lists", (bytes) => deep("[", "]", bytes >> 1)],
  ["nested objects", (bytes) => deep('{"a":', "}", Math.ceil(bytes / 6))],
  ["empty lists", (bytes) => `{"x":[${"[],".repeat(Math.ceil(bytes / 3))}1]}`],
  ["numbers", (bytes) => `{"x":[${"1,".repeat(bytes >> 1)}1]}`],
  [
    "names",
    (bytes) => `{${Array.from({ length: Math.ceil(bytes / 11) }, (_, at) => `"${at}":1,`).join("")}"x":1}`,
  ],
  ["the same name", (bytes) => `{${'"x":1,'.repeat(Math.ceil(bytes / 6))}"x":1}`],
  ["user ids that are numbers", (bytes) => `{"userIds":[${"1,".repeat(bytes >> 1)}1]}`],
  ["user ids", (bytes) => `{"userIds":[${'"ab",'.repeat(Math.ceil(bytes / 5))}"ab"]}`],
  ["blanks", (bytes) => `{"x":${" ".repeat(bytes)}1}`],
  ["line breaks in Base64", (bytes) => `{"imageBuffer":"${String.raw`\n`.repeat(bytes >> 1)}AAAA"}`],
  ["escapes", (bytes) => `{"userId":"${String.raw`\u0041`.repeat(Math.ceil(bytes / 6))}"}`],
  ["a long number", (bytes) => `{"x":${"9".repeat(bytes)}}`],
  ["a long text", (bytes) => `{"userId":"${"A".repeat(bytes)}","scanReference":"${"A".repeat(9)}"}`],
  ["an unfinished text", (bytes) => `{"imageBuffer":"${"A".repeat(bytes)}`],
];

const ofStructure = (name: string, bytes: number, make: (bytes: number) => string): Hostile => ({
  ...text(`${bytes} bytes of ${name}`, () => make(bytes)),
  mayBreak: true,
});

const large: readonly Hostile[] = structures.flatMap(([name, make]) =>
  [megabyte, 30 * megabyte].map((bytes) => ofStructure(name, bytes, make)),
);

const withCanary = (canary: string): string =>
  JSON.stringify({ userId: canary, imageBuffer: "AAAA", [canary]: canary });

const encoded = (encoding: string, encode: (body: Buffer) => Buffer): Hostile => ({
  name: `a body in ${encoding}`,
  body: (canary) => encode(Buffer.from(withCanary(canary))),
  headers: { "content-encoding": encoding },
  status: 415,
});

const plain = (name: string, body: (canary: string) => Buffer, headers?: Headers): Hostile => ({
  name,
  body,
  ...(headers && { headers }),
});

const hex = (name: string, digits: string): Hostile => plain(name, () => Buffer.from(digits, "hex"));

const spellings: readonly Hostile[] = [
  text("nothing", ""),
  text("null", "null"),
  text("a list", "[]"),
  text("two objects", "{} {}"),
  text("a comment", "{/**/}"),
  text("NaN", '{"method":NaN}'),
  text("an infinite number", '{"method":1e999,"userIds":[-1e999]}'),
  text("a trailing comma", '{"a":1,}'),
  text("a control character", '{"userId":"\u0001"}'),
  text("U+0000 in every text", JSON.stringify({ userId: "a\0b", scanReference: "\0", imageBuffer: "\0" })),
  text("lone surrogates", String.raw`{"userId":"\ud800","scanReference":"\udfff","\ud800":1}`),
  text(
    "names of the prototype",
    '{"__proto__":{"userId":"a"},"constructor":{"prototype":{"x":1}},"toString":1}',
  ),
  text("escaped names of the prototype", String.raw`{"\u005f_proto__":{"imageBuffer":"AAAA"}}`),
  text("lists in place of objects", '{"tracking":[],"userIds":{"0":"ab","length":1}}'),
  text("doubled names", (canary) => `{"userId":"${canary}","userId":1}`),
  text("a text that does not end", (canary) => `{"userId":"${canary}`),
  plain("a byte order mark", (canary) => Buffer.from(`\ufeff${withCanary(canary)}`)),
  plain("UTF-16", (canary) => Buffer.from(withCanary(canary), "utf16le"), {
    "content-type": "application/json; charset=utf-16",
  }),
  plain("Latin-1", (canary) => Buffer.from(withCanary(canary), "latin1"), {
    "content-type": "application/json; charset=latin1",
  }),
  hex("UTF-32", "7b0000007d000000"),
  hex("overlong UTF-8", "7b22c0af223a317d"),
  hex("surrogates in UTF-8", "7b22eda080223a317d"),
  hex("a cut UTF-8 character", "7b22f09f92223a317d"),
  encoded("gzip", gzipSync),
  encoded("deflate", deflateSync),
  encoded("br", brotliCompressSync),
  encoded("identity, gzip", gzipSync),
  encoded("x-gzip", () => gzipSync(Buffer.alloc(100 * megabyte))),
  text("no media type", withCanary, { "content-type": "" }),
  text("a form", "userId=a", { "content-type": "application/x-www-form-urlencoded" }),
  text("a multipart form", "--a\r\n\r\n--a--", { "content-type": "multipart/form-data; boundary=a" }),
  text("a broken media type", withCanary, { "content-type": "application/json;;;=;charset" }),
  text("another media type", withCanary, { "content-type": "text/json" }),
];

/** Operations with a body that the key of the attack opens: others answer before they read it. */
const withBody = (target: Target): readonly Operation[] =>
  target.contract.operations.filter((operation) => operation.bodies.size > 0 && takesKey(operation));

const leaks = (target: Target, answer: string): readonly string[] =>
  answer.includes(target.canary) ? ["the refusal holds a value that was sent"] : [];

const attack = async (target: Target, operation: Operation, hostile: Hostile): Promise<readonly string[]> => {
  const { method, path } = operation;
  const headers = { "content-type": "application/json", "x-api-key": target.keys.all, ...hostile.headers };
  const received = await target.exchange({ method, path, headers, body: hostile.body(target.canary) });
  if (hostile.mayBreak === true && received.status === 0) return [];
  const { status = received.status } = hostile;
  return [
    ...target.judge(operation, received),
    ...(received.status >= 400 ? leaks(target, received.text) : []),
    ...(received.status === status ? [] : [`answered ${received.status} in place of ${status}`]),
  ];
};

/** Lists of users have one operation; other bodies go to any. */
const caseOn = (at: number, hostile: Hostile): AttackCase => ({
  name: hostile.name,
  run: async (target) => {
    const operations = withBody(target);
    const isOfUsers = hostile.name.includes("user ids");
    const operation = isOfUsers ? target.operation("deleteUsers") : operations[at % operations.length]!;
    return await attack(target, operation, hostile);
  },
});

/** Large ones go to one operation each, spellings to three. */
const listCases = (): readonly AttackCase[] => [
  ...large.map((hostile, at) => caseOn(at * 7, hostile)),
  ...spellings.flatMap((hostile, at) => [0, 5, 11].map((step) => caseOn(at + step, hostile))),
];

const words = [
  "userId",
  "userIds",
  "imageBuffer",
  "scanReference",
  "method",
  "tracking",
  "__proto__",
  "extraData",
];

const value = (draw: Draw, depth: number): unknown => {
  if (depth === 0 || draw.chance(0.5)) {
    return draw.pick([
      null,
      true,
      -0,
      1e308,
      5e-324,
      "",
      "\ud800",
      "a".repeat(draw.size(1, 3000)),
      "AAAA",
      2 ** 53,
    ]);
  }
  const parts = Array.from({ length: draw.int(0, 5) }, () => value(draw, depth - 1));
  return draw.chance(0.5) ? parts : Object.fromEntries(parts.map((part) => [draw.pick(words), part]));
};

const damaged = (draw: Draw, body: Buffer): Buffer => {
  const bytes = Buffer.from(body);
  for (let left = draw.int(0, 4); left > 0 && bytes.length > 0; left--) {
    bytes[draw.int(0, bytes.length - 1)] = draw.pick([
      0, 0x22, 0x2c, 0x5b, 0x5c, 0x7b, 0x7d, 0x80, 0xc0, 0xff,
    ]);
  }
  return draw.chance(0.3) ? bytes.subarray(0, draw.int(0, bytes.length)) : bytes;
};

const drawn = (draw: Draw): Hostile => {
  if (draw.chance(0.3)) {
    const [name, make] = draw.pick(structures);
    return ofStructure(name, draw.size(100, 3 * megabyte), make);
  }
  const fields = Object.fromEntries(words.map((word) => [word, value(draw, 4)]));
  const body = damaged(draw, Buffer.from(JSON.stringify(fields)));
  return plain("drawn fields", () => body);
};

/** Hostile JSON for every operation with a body. */
export const jsonAttack: Attack = {
  kind: "json",
  fixed: listCases(),
  generate: (draw) => caseOn(draw.int(0, 999), drawn(draw)),
};
