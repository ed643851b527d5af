import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { hostFault, makeAnswerToBrokenRequest } from "./broken-request.ts";
import { isTooSlow } from "./receive-body.ts";

describe("a body in arrival", () => {
  const limits = { msMax: 60_000, graceMs: 10_000 };
  const of6000 = { ...limits, statedBytes: 6_000 };

  it("is too slow where it cannot arrive in time at its pace, after a time of grace", () => {
    expect(isTooSlow(of6000, 0, 9_999)).toBe(false);
    expect(isTooSlow(of6000, 999, 10_000)).toBe(true);
    expect(isTooSlow(of6000, 1_000, 10_000)).toBe(false);
    expect(isTooSlow(of6000, 2_999, 30_000)).toBe(true);
    expect(isTooSlow(of6000, 3_000, 30_000)).toBe(false);
  });

  it("is too slow at the end of its time, whatever is missing", () => {
    expect(isTooSlow(of6000, 5_999, 59_990)).toBe(false);
    expect(isTooSlow(of6000, 5_999, 60_000)).toBe(true);
    expect(isTooSlow({ ...limits, statedBytes: undefined }, 1, 59_999)).toBe(false);
    expect(isTooSlow({ ...limits, statedBytes: undefined }, 1, 60_000)).toBe(true);
  });
});

describe("the Host of a request", () => {
  const requestOf = (httpVersion: string, ...names: string[]) => ({
    httpVersion,
    rawHeaders: names.flatMap((name) => [name, "host"]),
  });

  it("is named once in HTTP/1.1, and at most once before", () => {
    expect(hostFault(requestOf("1.1", "Accept", "hOST"))).toBeUndefined();
    expect(hostFault(requestOf("1.1", "Accept"))).toBe("it has no header Host");
    expect(hostFault(requestOf("1.1", "Host", "host"))).toBe("it has several headers Host");
    expect(hostFault(requestOf("1.0"))).toBeUndefined();
    expect(hostFault(requestOf("1.0", "Host", "Host"))).toBe("it has several headers Host");
  });
});

describe("a broken request", () => {
  const answerTo = async (code?: string): Promise<string> => {
    const socket = new PassThrough();
    const answer = makeAnswerToBrokenRequest(
      { baseUrl: () => "https://idem.example" },
      () => "id-1",
      () => false,
    );
    // The function takes a socket, of which it uses what every stream has.
    Reflect.apply(answer, undefined, [Object.assign(new Error("broken"), { code }), socket]);
    return (await socket.toArray()).join("");
  };

  it.each([
    ["HPE_HEADER_OVERFLOW", 431, "headers_too_large"],
    ["ERR_HTTP_REQUEST_TIMEOUT", 408, "request_too_slow"],
    ["HPE_INVALID_METHOD", 400, "http_unreadable"],
    [undefined, 400, "http_unreadable"],
  ])("with the code %s is answered %i, with problem details", async (code, status, failure) => {
    const [head = "", body = ""] = (await answerTo(code)).split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toContain("Content-Type: application/problem+json; charset=utf-8");
    expect(head).toContain("Connection: close");
    expect(head).toContain("X-Request-Id: id-1");
    expect(head).toContain(`Content-Length: ${body.length}`);
    expect(JSON.parse(body)).toMatchObject({
      type: `https://idem.example/errors/${failure}`,
      status,
      failure,
      requestId: "id-1",
    });
  });

  it("of a caller who has left is not answered", async () => {
    expect(await answerTo("ECONNRESET").catch(() => "")).toBe("");
  });
});
