import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ClearingSimulator, startClearingSimulator } from "#sandbox/clearing/clearing-simulator";
import { endOf, started, startWorker, type WorkerPlace } from "../testing/killed-worker.ts";
import { caller, openTransferBench, serveCertificates } from "../testing/transfer-bench.ts";

/** Each commit and each call of a transfer, and what must have become of it when the process dies there. */
const points = [
  ["move 1 before", "token", 1],
  // The intent is stored, and nothing tells whether the call left.
  ["move 1 after", "unclear", 0],
  ["call 1 before", "unclear", 0],
  ["call 1 after", "unclear", 1],
  ["move 2 before", "unclear", 1],
  ["move 2 after", "token", 1],
  ["move 3 before", "token", 1],
  ["move 3 after", "token", 1],
  ["call 2 before", "token", 1],
  ["call 2 after", "token", 1],
  ["move 4 before", "token", 1],
  ["move 4 after", "token", 1],
] as const;

describe("a transfer whose process is killed", { timeout: 600_000 }, () => {
  let place: WorkerPlace;
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
  afterEach(async () => {
    await entity.close();
    certificates.close();
    await rm(place.folder, { recursive: true });
  });

  const withBench = async <Result>(
    work: (bench: Awaited<ReturnType<typeof openTransferBench>>) => Promise<Result>,
  ): Promise<Result> => {
    const bench = await openTransferBench(place);
    try {
      return await work(bench);
    } finally {
      await bench.close();
    }
  };
  const create = () => withBench(({ create: one }) => one());
  const found = (id: string) => withBench(({ transfers }) => transfers.show(caller, id));
  const finish = async (): Promise<void> => {
    expect(await endOf(startWorker(place))).toBe("0");
  };

  it.each(points)("at '%s' ends as %s with %i tickets", async (point, state, tickets) => {
    const { id } = await create();
    expect(await endOf(startWorker(place, point))).toBe("SIGKILL");
    await finish();
    expect((await found(id)).transfer.state).toBe(state);
    expect(entity.tickets()).toHaveLength(tickets);
  });

  it.each(points.filter(([, state]) => state === "unclear").map(([point]) => point))(
    "at '%s' ends with its token at an entity that answers a repeated request equally",
    async (point) => {
      await entity.close();
      certificates.close();
      await rm(place.folder, { recursive: true });
      await prepare(true);
      const { id } = await create();
      expect(await endOf(startWorker(place, point))).toBe("SIGKILL");
      await finish();
      expect((await found(id)).transfer.state).toBe("token");
      expect(entity.tickets()).toHaveLength(1);
    },
  );

  it("goes on from unclear with the ticket that the entity made, by the operator's statement", async () => {
    const { id } = await create();
    await endOf(startWorker(place, "call 1 after"));
    await finish();
    const ticket = entity.tickets()[0]?.ticket ?? "";
    await withBench(({ transfers }) => transfers.resume(caller, id, { ticket, isWithoutTicket: false }));
    await finish();
    expect((await found(id)).transfer.state).toBe("token");
    expect(entity.tickets()).toHaveLength(1);
  });

  it("at random moments, while the entity is slow, has never two tickets and is never lost", async () => {
    await fetch(`${entity.url}/_faults`, { method: "POST", body: JSON.stringify({ delayMs: 30 }) });
    const ids: string[] = [];
    for (let kill = 0; kill < 8; kill++) {
      ids.push((await create()).id);
      const worker = startWorker(place);
      await started(worker);
      await sleep(Math.random() * 150);
      worker.kill("SIGKILL");
      await endOf(worker);
      await finish();
    }
    for (const id of ids) expect((await found(id)).transfer.state).toMatch(/^(token|unclear)$/);
    const codes = entity.tickets().map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });
});
