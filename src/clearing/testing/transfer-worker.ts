// A process that runs the jobs of transfers until none is open, or until it kills itself at the named point.
import { setTimeout as sleep } from "node:timers/promises";
import { caller, openTransferBench } from "./transfer-bench.ts";

/** `move` counts commits of the job, `call` calls of the entity; each from 1. */
const [folder = "", masterKey = "", entityUrl = "", certificates = "", isRepeatable = "", point = ""] =
  process.argv.slice(2);

const counts = new Map<string, number>();
const reach = async (kind: "move" | "call", when: "before" | "after", count: number): Promise<void> => {
  if (point !== `${kind} ${count} ${when}`) return;
  process.kill(process.pid, "SIGKILL");
  await sleep(60_000);
};
const around =
  <Args extends readonly unknown[], Result>(kind: "move" | "call", act: (...args: Args) => Promise<Result>) =>
  async (...args: Args): Promise<Result> => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    await reach(kind, "before", count);
    const result = await act(...args);
    await reach(kind, "after", count);
    return result;
  };

const bench = await openTransferBench({
  folder,
  masterKey,
  entityUrl,
  certificates,
  isRepeatable: isRepeatable === "true",
  watchStore: (store) => ({ ...store, moveTransfer: around("move", store.moveTransfer) }),
  watchEntity: ({ requestTicket, requestToken }) => ({
    requestTicket: around("call", requestTicket),
    requestToken: around("call", requestToken),
  }),
});
bench.loop.start();
process.stdout.write("started\n");
const open: ReadonlySet<string> = new Set(["created", "ticket-requested", "ticket", "token-requested"]);
while ((await bench.transfers.list(caller, 100)).some(({ state }) => open.has(state))) await sleep(20);
await bench.close();
