import { describe, expect, it } from "vitest";
import { readHar } from "./har.ts";
import { captureFrom, fillRequest, isSettled, usedNames } from "./placeholders.ts";
import { linesOf, openRequests } from "./read-requests.ts";
import { readRequestLine } from "./request.ts";

const read = (stated: object, line = 3) => readRequestLine(JSON.stringify(stated), line);
const full = {
  name: "first scan",
  method: "POST",
  path: "/services/clearing/{{transaction}}/verify",
  body: { scanReference: "{{scan}}", list: ["a {{scan}} b"], token: "shared", n: 1 },
  theirs: { token: "for them" },
  ours: { token: "for us {{scan}}" },
  headers: { family: "OnBoarding" },
  capture: { scan: "scanReference", code: "serviceResult.result.code" },
  until: { status: ["DONE", "FAILED"] },
};

describe("a line", () => {
  it("is read with all its fields", () => {
    expect(read(full)).toEqual({ ...full, line: 3 });
    expect(read({ path: "/healthz", method: "GET" })).toEqual({
      line: 3,
      method: "GET",
      path: "/healthz",
      headers: {},
      capture: {},
      until: {},
    });
  });

  it.each([
    ["nonsense", /Line 3 is no JSON object/],
    ['{"path":"/a","untl":{}}', /unknown field "untl"\. Did you mean until\?/],
    ['{"path":"a"}', /no path that begins with \//],
    ['{"path":"/a b"}', /no path/],
    ['{"path":"/a","method":"PUT"}', /method other than GET, POST, DELETE/],
    ['{"path":"/a","method":"GET","body":{}}', /GET with a body/],
    ['{"path":"/a","body":{},"ours":1}', /no object of fields/],
    ['{"path":"/a","ours":{}}', /no body to put them into/],
    ['{"path":"/a","headers":{"x-api-key":"secret"}}', /header other than app-name and family/],
    ['{"path":"/a","capture":{"a b":"c"}}', /captures under a name/],
    ['{"path":"/a","until":{"status":[]}}', /no list of values/],
  ])("with a mistake is refused with its number: %s", (text, message) => {
    expect(() => readRequestLine(text, 3)).toThrow(message);
    expect(() => readRequestLine(text, 3)).not.toThrow(/secret/);
  });
});

describe("captured values", () => {
  const request = read(full);

  it("replace their names, each service its own", () => {
    expect([...usedNames(request)].toSorted()).toEqual(["scan", "transaction"]);
    const ours = new Map([
      ["scan", "ref/1"],
      ["transaction", "t/2"],
    ]);
    expect(fillRequest(request, "ours", ours)).toEqual({
      method: "POST",
      path: "/services/clearing/t%2F2/verify",
      headers: { family: "OnBoarding" },
      body: { scanReference: "ref/1", list: ["a ref/1 b"], token: "for us ref/1", n: 1 },
    });
    expect(fillRequest(request, "theirs", ours).body).toMatchObject({ token: "for them" });
    expect(() => fillRequest(request, "ours", new Map())).toThrow("no earlier answer gave {{transaction}}");
  });

  it("are taken from an answer, also out of a text that holds JSON", () => {
    const body = { scanReference: "s1", serviceResult: '{"result":{"code":7}}', other: {} };
    expect(captureFrom(body, request)).toEqual([
      ["scan", "s1"],
      ["code", "7"],
    ]);
    expect(captureFrom({ scanReference: {} }, request)).toEqual([]);
    expect(isSettled({ status: "PENDING" }, request)).toBe(false);
    expect(isSettled({ status: "DONE" }, request)).toBe(true);
  });
});

describe("lines of a file", () => {
  const lines = async (bytesMax: number, ...chunks: readonly (string | Uint8Array)[]) => {
    async function* source() {
      for (const chunk of chunks) yield Buffer.from(chunk);
    }
    return (await Array.fromAsync(linesOf(source(), bytesMax))).map(({ text, line }) => `${line} ${text}`);
  };

  it("are read across chunks, the last one without a line end", async () => {
    expect(await lines(9, "a", "b\nc", "\n\nd")).toEqual(["1 ab", "2 c", "3 ", "4 d"]);
  });

  it("are refused when they are too long or no UTF-8, by their number", async () => {
    await expect(lines(3, "a\nbb", "bb")).rejects.toThrow("Line 2 is longer than 3 bytes");
    await expect(lines(9, "a\n", Uint8Array.of(0xff, 10))).rejects.toThrow("Line 2 is not UTF-8");
  });
});

describe("a HAR file", () => {
  const scan = "3c9f1a52-5d0e-4f3e-8f1d-0d4f6d5f9c11";
  const call = (url: string, body: object, answer: object) => ({
    request: {
      method: "POST",
      url,
      headers: [{ name: "x-api-key", value: "k" }],
      postData: { text: JSON.stringify(body) },
    },
    response: { status: 200, content: { text: JSON.stringify(answer) } },
  });
  const har = {
    log: {
      version: "1.2",
      entries: [
        { request: { method: "GET", url: "https://cdn.example/app.js" } },
        call(
          "https://api.example/v1/verify/documentValidation/v2/start",
          { country: "CHL" },
          { scanReference: scan },
        ),
        call(
          "https://api.example/v1/verify/documentValidation/v2/status",
          { scanReference: scan },
          { scanReference: scan },
        ),
      ],
    },
  };

  it("gives the calls of the service, with its ids as names and its status queries repeated", () => {
    expect(readHar(JSON.stringify(har), "https://api.example/v1")).toEqual({
      leftOut: 1,
      requests: [
        {
          line: 2,
          method: "POST",
          path: "/verify/documentValidation/v2/start",
          body: { country: "CHL" },
          headers: {},
          capture: { entry2scanReference: "scanReference" },
          until: {},
        },
        {
          line: 3,
          method: "POST",
          path: "/verify/documentValidation/v2/status",
          body: { scanReference: "{{entry2scanReference}}" },
          headers: {},
          capture: {},
          until: { status: ["DONE", "FAILED"] },
        },
      ],
    });
  });

  it("is read with a byte order mark", () => {
    const text = JSON.stringify(har);
    expect(readHar(`\u{feff}${text}`, "https://api.example/v1")).toEqual(
      readHar(text, "https://api.example/v1"),
    );
  });

  it("gives the ids of an answer in Base64, and none of a damaged one", () => {
    const capturesWith = (text: string) => {
      const [other, first, second] = har.log.entries;
      const response = { content: { encoding: "base64", text } };
      const entries = [other, { ...first, response }, second];
      return readHar(JSON.stringify({ log: { entries } }), "https://api.example/v1").requests[0]?.capture;
    };
    const encoded = Buffer.from(JSON.stringify({ scanReference: scan, name: "Ñuñoa" })).toString("base64");
    expect(capturesWith(encoded)).toEqual({ entry2scanReference: "scanReference" });
    expect(capturesWith(`%${encoded.slice(0, 9)}`)).toEqual({});
  });

  it("that cannot be read is named with the reason", async () => {
    const opening = openRequests("/none/export.har", "https://api.example/v1");
    await expect(opening).rejects.toThrow("/none/export.har cannot be read (ENOENT)");
  });

  it("is refused when it is none", () => {
    expect(() => readHar("{}", "https://api.example")).toThrow("no HAR file");
  });
});
