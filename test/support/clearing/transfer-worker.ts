// A process that runs the jobs of transfers and kills itself at the named point: `move` is a commit of the
// job, `call` a call of the entity. It ends with 0 where it has settled every transfer without reaching the
// point.
import { setTimeout as sleep } from "node:timers/promises";
import { makeKillPoint } from "./kill-point.ts";
import { caller, openTransferBench } from "./transfer-bench.ts";

const [place = "{}", point = ""] = process.argv.slice(2);
const around = makeKillPoint(point);

const bench = await openTransferBench({
  ...JSON.parse(place),
  watchStore: (store) => ({ ...store, moveTransfer: around("move", store.moveTransfer) }),
  watchEntity: ({ requestTicket, requestToken }) => ({
    requestTicket: around("call", requestTicket),
    requestToken: around("call", requestToken),
  }),
});
bench.loop.start();
const open: ReadonlySet<string> = new Set(["created", "ticket-requested", "ticket", "token-requested"]);
while ((await bench.transfers.list(caller, 100)).some(({ state }) => open.has(state))) await sleep(20);
await bench.close();
