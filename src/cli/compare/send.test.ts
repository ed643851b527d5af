import { once } from "node:events";
import { createServer } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { makeEgress } from "#machine/egress/make-egress";
import { makeSend, retryAfter } from "./send.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A sender to a server that is busy this often, and says so with `after`; then it answers. */
const sendToBusy = async (busy: number, after: string | undefined) => {
  let calls = 0;
  const server = createServer((request, response) => {
    request.resume();
    calls++;
    const isBusy = calls <= busy;
    response.writeHead(isBusy ? 503 : 200, isBusy && after !== undefined ? { "retry-after": after } : {});
    response.end(JSON.stringify({ calls }));
  });
  closing.push(() => server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  const egress = makeEgress({ allow: ["127.0.0.1"] });
  const url = `http://127.0.0.1:${address.port}`;
  const send = makeSend({ egress, url, key: "key", timeoutMs: 30_000, pauseMs: 0 });
  return await send({ method: "GET", path: "/a", headers: {} });
};

const answer = (status: number, calls: number) => ({ answer: { status, body: { calls } } });

describe("a call to a busy service", () => {
  it("is sent again up to three times", async () => {
    expect(await sendToBusy(3, "0")).toMatchObject(answer(200, 4));
    expect(await sendToBusy(4, "0")).toMatchObject(answer(503, 4));
  });

  it("is sent once where the service asks for a longer wait, or for none", async () => {
    expect(await sendToBusy(1, "61")).toMatchObject(answer(503, 1));
    expect(await sendToBusy(1, undefined)).toMatchObject(answer(503, 1));
  });

  it.each([
    [503, "60", 60],
    [429, "1", 1],
    [503, "0", 0],
    [503, "61", undefined],
    [503, "-1", undefined],
    [503, "1.5", undefined],
    [503, "", undefined],
    [503, "Wed, 21 Oct 2026 07:28:00 GMT", undefined],
    [503, undefined, undefined],
    [500, "1", undefined],
    [200, "1", undefined],
  ])("with status %d and Retry-After %s waits so many seconds: %s", (status, header, seconds) => {
    expect(retryAfter(status, header).retryAfter).toBe(seconds);
  });
});
