import { afterEach, describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { assembleBody, readBody } from "#machine/http/read-json";
import { eventually } from "#support/contract/eventually";
import { openBodyThreads } from "./body-threads.ts";

const megabytes = 1024 ** 2;
const opened: ReturnType<typeof openBodyThreads>[] = [];
const deaths: unknown[] = [];

const open = async (worker?: URL) => {
  const threads = openBodyThreads(36 * megabytes, (cause) => deaths.push(cause), worker);
  opened.push(threads);
  await threads.ready;
  const read = (blocks: readonly Uint8Array<ArrayBuffer>[], isHashed: boolean, left = staying) =>
    threads.read(blocks, isHashed, left);
  return { ...threads, read };
};

/** A caller who waits for the answer. */
const staying = new AbortController().signal;

const blocksOf = (text: string): readonly Uint8Array<ArrayBuffer>[] => [new Uint8Array(Buffer.from(text))];

const refusalOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => (error instanceof Failure ? { code: error.code, ...error.facts } : error));

afterEach(async () => {
  for (const { module } of opened.splice(0)) await module.close?.();
  deaths.splice(0);
});

describe("threads that read bodies", () => {
  it("drop a waiting body when its caller leaves, and read those of the others", async () => {
    const { read, module } = await open();
    const waiting = module.gauges?.find(({ name }) => name === "idem_bodies_waiting");
    const leaving = new AbortController();
    const costly = `{"a":"${String.raw`\u4e2d`.repeat(3 * megabytes)}"}`;
    const others = [1, 2].map(() => read(blocksOf(costly), false));
    const dropped = read(blocksOf(`{"a":"${"x".repeat(megabytes)}"}`), false, leaving.signal);
    const refusal = refusalOf(dropped);
    await eventually(() => expect(waiting?.read()).toEqual([{ value: 1 }]), { interval: 1 });
    leaving.abort(new Error("The caller left"));
    expect(await refusal).toMatchObject({ message: "The caller left" });
    expect(waiting?.read()).toEqual([{ value: 0 }]);
    expect((await Promise.all(others)).map(({ longValues }) => longValues.length)).toEqual([1, 1]);
  });

  it("return what the main thread would read, and hand the bytes over", async () => {
    const image = Buffer.alloc(3 * megabytes, "image").toString("base64");
    const body = JSON.stringify({ image, note: "é".repeat(9_000), list: ["a", 1, null] });
    const { read } = await open();
    const parts = await read(blocksOf(body), true);
    const here = readBody(blocksOf(body), true);
    expect(parts.sha256).toBe(here.sha256);
    expect(parts.tree).toEqual(here.tree);
    expect(parts.longValues.map(({ head }) => head)).toEqual(here.longValues.map(({ head }) => head));
    const [first, second] = parts.longValues.map(({ decoding }) => decoding);
    expect(Buffer.from(first?.bytes ?? []).toString("base64") === image).toBe(true);
    expect([first?.bytes?.buffer.byteLength, second?.bytes]).toEqual([3 * megabytes, undefined]);
    expect(Buffer.from(second?.text ?? []).toString("utf8")).toBe("é".repeat(9_000));
  });

  it("take over the memory of a body, without a copy", async () => {
    const { read } = await open();
    const blocks = blocksOf(`{"a":"${"x".repeat(9_000)}"}`);
    await read(blocks, false);
    expect(blocks.map(({ length }) => length)).toEqual([0]);
  });

  it("refuse a body as the main thread would, with the reason", async () => {
    const { read } = await open();
    for (const body of [`{"a":${"[".repeat(33)}`, "[1]", '{"a":"\\x"}', `[${"1,".repeat(10_000)}1]`]) {
      const expected = await refusalOf((async () => readBody(blocksOf(body), false))());
      expect(await refusalOf(read(blocksOf(body), false))).toEqual(expected);
    }
  });

  it("hold the largest text in its most costly spelling", async () => {
    const { read } = await open();
    // Every character is an escape beyond Latin-1: two bytes each in the text and in what it stands for.
    const body = `{"a":"${String.raw`\u4e2d`.repeat(6 * megabytes)}"}`;
    const { longValues } = await read(blocksOf(body), false);
    expect(longValues[0]?.head).toHaveLength(8192);
    expect(deaths).toEqual([]);
  });

  it("read several bodies at once, in any order, each its own", async () => {
    const { read } = await open();
    const bodies = Array.from({ length: 20 }, (_, at) => `{"n":${at},"x":"${"x".repeat(at * 50_000)}"}`);
    const all = await Promise.all(bodies.map((body) => read(blocksOf(body), false)));
    expect(all.map(({ tree }) => Object(tree).n)).toEqual(bodies.map((_, at) => at));
  });

  it("answer the body of a thread that dies with overloaded, and go on", async () => {
    const { read, module } = await open(
      new URL("../../test/support/app/mortal-body-thread.ts", import.meta.url),
    );
    expect(await refusalOf(read(blocksOf("die"), false))).toEqual({ code: "overloaded" });
    expect(deaths).toHaveLength(1);
    expect(assembleBody(await read(blocksOf('{"a":1}'), false))).toEqual({ a: 1 });
    expect(module.gauges?.find(({ name }) => name === "idem_body_threads_died")?.read()).toEqual([
      { value: 1 },
    ]);
  });
});
