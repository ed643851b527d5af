import { describe, expect, it } from "vitest";
import { openMailboxServer as open } from "#support/http/mailbox";

const listed = async ({ server }: ReturnType<typeof open>, key: string, query = "") =>
  await server.app.inject({ url: `/operator/mailbox${query}`, headers: { "x-api-key": key } });

describe("the API of the mailbox", () => {
  it("lists what arrived after a number, for the key's tenant", async () => {
    const harness = open();
    await harness.deliver("operation-started");
    await harness.deliver("id-captured");
    const key = harness.makeKey();
    const { messages } = (await listed(harness, key)).json();
    expect(messages.map(({ number }: { number: number }) => number)).toEqual([1, 2]);
    expect(messages[0]).toMatchObject({
      webhook: { holds: true },
      event: { holds: true },
      destinationId: "d-1",
    });
    expect((await listed(harness, key, "?after=1")).json().messages).toHaveLength(1);
    const another = harness.makeKey({ tenantId: "tenant-2" });
    expect((await listed(harness, another)).json().messages).toEqual([]);
  });

  it("refuses a live key, a key without the scope, no key, and an unreadable number", async () => {
    const harness = open();
    const answers = await Promise.all([
      listed(harness, harness.makeKey({ environment: "live" })),
      listed(harness, harness.makeKey({ scopes: ["face"] })),
      listed(harness, ""),
      listed(harness, harness.makeKey(), "?after=-1"),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 401, 400]);
    expect(answers[0]?.json().failure).toBe("mailbox_live_key");
  });
});

describe("the stream of the mailbox", () => {
  it("sends what is there and what arrives, with the headers of every answer, and ends with a drain", async () => {
    const harness = open();
    await harness.deliver("operation-started");
    const address = await harness.server.listen({ host: "127.0.0.1", port: 0 });
    const answer = await fetch(`${address}/operator/mailbox/stream?after=0`, {
      headers: { "x-api-key": harness.makeKey() },
    });
    expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-request-id")).not.toBeNull();
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const readUntil = async (part: string): Promise<void> => {
      while (!text.includes(part)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`The stream ended before ${part}`);
        text += value;
      }
    };
    await readUntil("id: 1\ndata: {");
    await harness.deliver("selfie-captured");
    await readUntil("id: 2\ndata: {");
    await harness.server.drain();
    while (!(await reader.read()).done);
  });

  it("begins anew for a reader whose numbers are of an earlier process", async () => {
    const harness = open();
    await harness.deliver("operation-started");
    await harness.deliver("selfie-captured");
    const address = await harness.server.listen({ host: "127.0.0.1", port: 0 });
    const key = harness.makeKey();
    /** The text of a stream up to this part. */
    const readStream = async (query: string, part: string): Promise<string> => {
      const url = `${address}/operator/mailbox/stream?${query}`;
      const { body } = await fetch(url, { headers: { "x-api-key": key } });
      let text = "";
      for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
        text += piece;
        if (text.includes(part)) return text;
      }
      throw new Error(`The stream ended before ${part}`);
    };
    const process = /^: process ([0-9a-f-]{36})\n\n/u.exec(await readStream("after=2", "\n\n"))?.[1];
    expect(process).toBeDefined();
    expect(await readStream(`after=1&process=${process}`, "id: 2\n")).not.toContain("id: 1\n");
    const earlier = "11111111-1111-4111-8111-111111111111";
    expect(await readStream(`after=9&process=${earlier}`, "id: 2\n")).toContain("id: 1\n");
    await harness.server.drain();
  });

  it("refuses a live key and a wrong one before it begins", async () => {
    const harness = open();
    const ask = async (key: string) => {
      const url = "/operator/mailbox/stream";
      return (await harness.server.app.inject({ url, headers: { "x-api-key": key } })).statusCode;
    };
    expect(await ask(harness.makeKey({ environment: "live" }))).toBe(403);
    expect(await ask("idem_test_wrong")).toBe(401);
  });
});
