import { createServer } from "node:http";
import { afterAll, describe, expect, it } from "vitest";
import { listenLocally } from "#support/egress/local-server";
import { EgressError } from "./egress.ts";
import { makeEgress } from "./make-egress.ts";

const servers: { close: () => void }[] = [];
afterAll(() => servers.forEach((server) => server.close()));

const reasonOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "answered",
    (error: unknown) => (error instanceof EgressError ? error.reason : String(error)),
  );

/** An address of documentation (RFC 5737): nothing answers there, so a call that may go there fails later. */
const url = "http://192.0.2.1/ca.crl";
const open = makeEgress({ allow: ["192.0.2.0/24"] });
const call = { bytesMax: 1000, headMsMax: 100 };

describe("a call whose answer carries a signature", () => {
  it("may go over plain http where https may go, and no other call may", async () => {
    expect(await reasonOf(open(url, call))).toBe("address_refused");
    expect(await reasonOf(open(url, { ...call, verifiesAnswer: true }))).toMatch(/timed_out|unreachable/);
  });

  it("never carries credentials over plain http to another machine", async () => {
    const headers = { Authorization: "Bearer secret" };
    expect(await reasonOf(open(url, { ...call, verifiesAnswer: true, headers }))).toBe("address_refused");
  });

  it.each(["http://127.0.0.1/", "http://10.0.0.1/", "http://169.254.169.254/", "http://[::1]/"])(
    "does not reach %s, which is not public",
    async (closed) => {
      const reason = await reasonOf(makeEgress({ allow: [] })(closed, { ...call, verifiesAnswer: true }));
      expect(reason).toBe("address_refused");
    },
  );

  it("goes through a proxy with its whole URL", async () => {
    const seen: (string | undefined)[] = [];
    const proxy = createServer((request, response) => {
      seen.push(request.url, request.headers.host, request.headers["proxy-authorization"]);
      response.end("crl");
    });
    servers.push(proxy);
    const port = await listenLocally(proxy);
    const through = makeEgress({ allow: [], proxy: new URL(`http://me:pass@127.0.0.1:${port}`) });
    const answer = await through("http://ca.example/a.crl?x=1", { ...call, verifiesAnswer: true });
    expect(answer.status).toBe(200);
    answer.discard();
    expect(seen).toEqual(["http://ca.example/a.crl?x=1", "ca.example", `Basic ${btoa("me:pass")}`]);
  });
});
