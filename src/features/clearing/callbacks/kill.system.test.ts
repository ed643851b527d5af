import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type CallbackBench,
  type CallbackPlace,
  openCallbackBench,
  owner,
} from "#support/clearing/callback-bench";
import { runWorker } from "#support/clearing/killed-worker";
import { type LocalServer, startServer } from "#support/webhooks/servers";

/** Where the process dies, and how many times the receiver is called in all: at least once. */
const points = [
  ["send 1 before", 1],
  // The receiver has answered, and no commit tells it.
  ["send 1 after", 2],
  ["end 1 after", 1],
] as const;

describe("a callback whose process is killed", () => {
  let receiver: LocalServer;
  let place: CallbackPlace;

  beforeEach(async () => {
    receiver = await startServer((_, _request, response) => response.writeHead(204).end());
    place = {
      folder: await mkdtemp(join(tmpdir(), "idem-callback-kill-")),
      masterKey: randomBytes(32).toString("hex"),
      receiverUrl: receiver.url,
    };
  });
  afterEach(async () => {
    receiver.close();
    await rm(place.folder, { recursive: true });
  });

  const withBench = async <Result>(work: (bench: CallbackBench) => Promise<Result>): Promise<Result> => {
    const bench = await openCallbackBench(place);
    try {
      return await work(bench);
    } finally {
      await bench.close();
    }
  };

  /** Sends what is due, in a process that lives. */
  const finish = async ({ loop, store }: CallbackBench) => {
    loop.start();
    const list = () => store.listOneShots(owner, 10);
    await expect.poll(list, { timeout: 60_000 }).not.toMatchObject([{ state: "due" }]);
    return await list();
  };

  it.each(points)("at '%s' is delivered by the next one, in %i calls with one id", async (point, calls) => {
    const id = await withBench(({ create }) => create());
    expect(receiver.received).toEqual([]);
    expect(await runWorker("callback-worker.ts", place, point)).toBe("SIGKILL");
    const rows = await withBench(finish);
    expect(rows).toMatchObject([{ id, state: "delivered", log: [{ outcome: "delivered", status: 204 }] }]);
    expect(rows[0]?.sealed).toBeUndefined();
    const sent = receiver.received.map(({ headers, body }) => [
      headers["webhook-id"],
      JSON.parse(body).status,
    ]);
    expect(sent).toEqual(Array.from({ length: calls }, () => [id, "succeeded"]));
  });
});
