import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { urlOfSocket } from "#machine/http/base-url";
import { goodBody, startServer } from "#support/http/harness";

const forged = "attacker.example";
const servers: ReturnType<typeof startServer>[] = [];
afterAll(() => Promise.all(servers.map(({ server }) => server.app.close())));

const listening = async (publicUrl?: string) => {
  const harness = startServer(publicUrl === undefined ? {} : { publicUrl });
  servers.push(harness);
  return { harness, url: await harness.server.listen({ host: "127.0.0.1", port: 0 }) };
};

type Problem = { readonly type: string; readonly failure: string };

/** The problem that answers a call whose Host is another address. */
const problemOf = (url: string, key: string, body: string): Promise<Problem> =>
  new Promise((resolve, reject) => {
    const headers = { host: forged, "x-api-key": key, "content-type": "application/json" };
    const call = request(url, { method: "POST", headers }, async (answer) => {
      resolve(JSON.parse(Buffer.concat(await answer.toArray()).toString()));
    });
    call.on("error", reject).end(body);
  });

/** The problem that answers bytes which are no HTTP. */
const brokenProblem = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    let text = "";
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET / HTTP/1.1\r\nhost ${forged}\r\n\r\n`),
    );
    socket.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    socket.on("end", () => resolve(text)).on("error", reject);
  });

describe("the type of a problem", () => {
  it("is an absolute URL of the address that the service listens on, whatever the Host header says", async () => {
    const { harness, url } = await listening();
    const refused = await problemOf(`${url}/services/echo`, harness.makeKey(), "{}");
    expect(refused).toMatchObject({ failure: "request_invalid", type: `${url}/errors/request_invalid` });
    expect(new URL(refused.type).origin).toBe(url);
    const unknown = await problemOf(`${url}/nowhere`, harness.makeKey(), "{}");
    expect(unknown.type).toBe(`${url}/errors/path_unknown`);
    const undecodable = await problemOf(`${url}/%zz`, harness.makeKey(), "{}");
    expect(undecodable.type).toBe(`${url}/errors/path_unknown`);
    const broken = await brokenProblem(url);
    expect(broken).toContain(`"type":"${url}/errors/http_unreadable"`);
    expect(broken).not.toContain(forged);
  });

  it("leads to a page of that failure", async () => {
    const { harness, url } = await listening();
    const { type } = await problemOf(
      `${url}/services/echo`,
      harness.makeKey(),
      JSON.stringify({ ...goodBody, kind: 1 }),
    );
    const page = await fetch(type);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("request_invalid");
  });

  it("is under the operator's public URL where one is set", async () => {
    const { harness, url } = await listening("https://idem.example.org/api");
    const refused = await problemOf(`${url}/services/echo`, harness.makeKey(), "{}");
    expect(refused.type).toBe("https://idem.example.org/api/errors/request_invalid");
  });
});

describe("the URL of a socket", () => {
  it.each([
    [{ address: "127.0.0.1", family: "IPv4", port: 80 }, "http://127.0.0.1:80"],
    [{ address: "0.0.0.0", family: "IPv4", port: 8080 }, "http://127.0.0.1:8080"],
    [{ address: "10.0.0.7", family: "IPv4", port: 8080 }, "http://10.0.0.7:8080"],
    [{ address: "::", family: "IPv6", port: 8080 }, "http://[::1]:8080"],
    [{ address: "fd00::7", family: "IPv6", port: 8080 }, "http://[fd00::7]:8080"],
    ["/run/idem.sock", undefined],
    [null, undefined],
  ])("of %o is %s", (address, url) => {
    expect(urlOfSocket(address)).toBe(url);
  });
});
