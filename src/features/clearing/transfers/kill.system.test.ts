import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ClearingSimulator, startClearingSimulator } from "#sandbox/clearing/clearing-simulator";
import { runWorker } from "#support/clearing/killed-worker";
import {
  caller,
  openTransferBench,
  serveCertificates,
  type TransferBench,
  type TransferBenchOptions,
} from "#support/clearing/transfer-bench";

/**
 * Where the process dies around a commit or a call of the entity, and what must have become of the transfer.
 */
const points = [
  ["move 1 before", "token", 1],
  // The intent is stored, and nothing tells whether the call left.
  ["move 1 after", "unclear", 0],
  ["move 2 after", "token", 1],
  ["call 2 after", "token", 1],
] as const;

describe("a transfer whose process is killed", () => {
  let place: TransferBenchOptions;
  let entity: ClearingSimulator;
  let certificates: Awaited<ReturnType<typeof serveCertificates>>;

  const prepare = async (isRepeatable: boolean): Promise<void> => {
    entity = await startClearingSimulator({ basic: "afp:clave", isRepeatable });
    certificates = await serveCertificates();
    place = {
      folder: await mkdtemp(join(tmpdir(), "idem-transfer-kill-")),
      masterKey: randomBytes(32).toString("hex"),
      entityUrl: entity.url,
      certificates: certificates.url,
      isRepeatable,
    };
  };
  beforeEach(() => prepare(false));
  const end = async (): Promise<void> => {
    await entity.close();
    certificates.close();
    await rm(place.folder, { recursive: true });
  };
  afterEach(end);

  const withBench = async <Result>(work: (bench: TransferBench) => Promise<Result>): Promise<Result> => {
    const bench = await openTransferBench(place);
    try {
      return await work(bench);
    } finally {
      await bench.close();
    }
  };
  const create = () => withBench(({ create: one }) => one());
  const dieAt = async (point: string): Promise<void> => {
    expect(await runWorker("transfer-worker.ts", place, point)).toBe("SIGKILL");
  };
  /** Runs the transfer until it is settled, in a process that lives. Returns its state. */
  const finishIn = async ({ loop, transfers }: TransferBench, id: string): Promise<string> => {
    const read = async () => (await transfers.show(caller, id)).transfer.state;
    loop.start();
    await expect.poll(read, { timeout: 60_000 }).toMatch(/^(token|unclear|refused)$/);
    return await read();
  };
  const finish = (id: string) => withBench((bench) => finishIn(bench, id));

  it.each(points)("at '%s' ends as %s with %i tickets", async (point, state, tickets) => {
    const { id } = await create();
    await dieAt(point);
    expect(await finish(id)).toBe(state);
    expect(entity.tickets()).toHaveLength(tickets);
  });

  it("at 'call 1 after' is unclear, and goes on with the ticket that the operator names", async () => {
    const { id } = await create();
    await dieAt("call 1 after");
    await withBench(async (bench) => {
      expect(await finishIn(bench, id)).toBe("unclear");
      const ticket = entity.tickets()[0]?.ticket ?? "";
      await bench.transfers.resume(caller, id, { ticket, isWithoutTicket: false });
      expect(await finishIn(bench, id)).toBe("token");
    });
    expect(entity.tickets()).toHaveLength(1);
  });

  it("at 'call 1 after' ends with its token at an entity that answers a repeated request equally", async () => {
    await end();
    await prepare(true);
    const { id } = await create();
    await dieAt("call 1 after");
    expect(await finish(id)).toBe("token");
    expect(entity.tickets()).toHaveLength(1);
  });
});
