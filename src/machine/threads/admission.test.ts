import { describe, expect, it } from "vitest";
import { makeAdmission } from "./admission.ts";

const open = () => makeAdmission({ slots: 1, waitingMax: 1, retryAfterSeconds: () => 7 });

describe("work that continues an admitted call", () => {
  it("gets the next slot, before those who waited longer", async () => {
    const admission = open();
    const leave = await admission.enter();
    const order: string[] = [];
    const first = admission.enter().then((done) => [order.push("new"), done] as const);
    const later = admission.enter(undefined, true).then((done) => [order.push("later step"), done] as const);
    expect(admission.waiting()).toBe(2);
    leave();
    (await later)[1]();
    (await first)[1]();
    expect(order).toEqual(["later step", "new"]);
    expect([admission.running(), admission.waiting()]).toEqual([0, 0]);
  });

  it("is not refused where a new call is", async () => {
    const admission = open();
    const leave = await admission.enter();
    const waiting = admission.enter();
    await expect(admission.enter()).rejects.toMatchObject({
      code: "engine_busy",
      facts: { waiting: 1, retryAfterSeconds: 7 },
    });
    const continued = admission.enter(undefined, true);
    leave();
    (await continued)();
    (await waiting)();
  });

  it("leaves the queue with its caller, and is refused by a queue that closes", async () => {
    const admission = open();
    const leave = await admission.enter();
    const caller = new AbortController();
    const left = admission.enter(caller.signal, true);
    const staying = admission.enter(undefined, true);
    caller.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    const closed = admission.close();
    await expect(staying).rejects.toMatchObject({ code: "shutting_down" });
    leave();
    await closed;
  });
});
