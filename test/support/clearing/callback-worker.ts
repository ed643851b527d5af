// A process that sends callbacks and kills itself at the named point: `send` is a call of the receiver, `end`
// the commit after it. It ends with 0 where it has sent every callback without reaching the point.
import { setTimeout as sleep } from "node:timers/promises";
import { openCallbackBench, owner } from "./callback-bench.ts";
import { makeKillPoint } from "./kill-point.ts";

const [place = "{}", point = ""] = process.argv.slice(2);
const around = makeKillPoint(point);

const bench = await openCallbackBench({
  ...JSON.parse(place),
  watchStore: (store) => ({ ...store, endOneShotAttempt: around("end", store.endOneShotAttempt) }),
  watchSend: (send) => around("send", send),
});
bench.loop.start();
while ((await bench.store.listOneShots(owner, 100)).some(({ state }) => state === "due")) await sleep(20);
await bench.close();
