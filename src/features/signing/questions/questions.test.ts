import { setTimeout as sleep } from "node:timers/promises";
import { MessageChannel } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import type { SigningPorts } from "#trust/revocation/ports";
import { type Answering, type AnsweringOptions, answerQuestions } from "./answer-questions.ts";
import { type AskedPorts, askMain } from "./ask-main.ts";

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

const plainPorts: SigningPorts = {
  sign: async (message) => bytes(1, ...message),
  stamp: async (hash, digest) => bytes(hash.length, ...digest),
  fetch: async ({ url, body }) => (url.endsWith("/none") ? undefined : bytes(3, ...(body ?? []))),
};

const opened: (Answering | AskedPorts)[] = [];

afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

/** A thread with all of a processor. */
const whole: AnsweringOptions["readThreadMs"] = () => performance.now();

/** A thread whose processor time is read as these values in turn, and as the last one from then on. */
const inTurn = (values: readonly number[]) => {
  let read = 0;
  return {
    readThreadMs: () => values[Math.min(read++, values.length - 1)],
    left: () => Math.max(0, values.length - read),
  };
};

const open = (
  ports: Partial<SigningPorts> = {},
  computingMsMax = 5_000,
  readThreadMs: AnsweringOptions["readThreadMs"] = whole,
) => {
  const { port1, port2 } = new MessageChannel();
  const answering = answerQuestions(port1, {
    ports: { ...plainPorts, ...ports },
    computingMsMax,
    waitingMsMax: 2 * computingMsMax,
    readThreadMs,
    questionsMax: 3,
  });
  const asking = askMain(port2, "7");
  opened.push(answering, asking);
  return { answering, asking };
};

describe("the ports of a signing thread", () => {
  it("answer each of several questions at a time with its own answer", async () => {
    const { asking } = open({ sign: async (message) => sleep(20, bytes(1, ...message)) });
    const answers = await Promise.all([
      asking.sign(bytes(7)),
      asking.stamp("sha384", bytes(8)),
      asking.fetch({ url: "http://ocsp.test/", kind: "ocsp", body: bytes(9) }),
    ]);
    expect(answers).toEqual([bytes(1, 7), bytes(6, 8), bytes(3, 9)]);
  });

  it("report that a server gave nothing", async () => {
    const { asking } = open();
    expect(await asking.fetch({ url: "http://ocsp.test/none", kind: "crl" })).toBeUndefined();
  });

  it("pass a failure with its code, its facts and the operator's cause", async () => {
    const { asking } = open({
      stamp: async () => {
        throw new Failure("timestamp_failed", { hosts: ["a.test"] }, { cause: new Error("gone") });
      },
    });
    await expect(asking.stamp("sha256", bytes(1))).rejects.toMatchObject({
      code: "timestamp_failed",
      facts: { hosts: ["a.test"] },
      cause: "Error: gone",
    });
  });

  it("pass another error with its words", async () => {
    const { asking } = open({
      sign: async () => {
        throw new TypeError("a defect");
      },
    });
    await expect(asking.sign(bytes(1))).rejects.toThrow("a defect");
  });

  it("end the task of a caller that has left", async () => {
    const { answering, asking } = open({ sign: () => new Promise(() => undefined) });
    const waiting = asking.sign(bytes(1));
    answering.close();
    await expect(waiting).rejects.toMatchObject({ code: "timed_out" });
    await expect(asking.sign(bytes(1))).rejects.toMatchObject({ code: "timed_out" });
  });
});

describe("the computing time of a signing thread", () => {
  it("ends the thread where it computes for longer than allowed", async () => {
    const { answering } = open({}, 40);
    await expect.poll(() => answering.end.aborted, { timeout: 2_000 }).toBe(true);
    expect(answering.end.reason).toMatchObject({ code: "pdf_unreadable" });
  });

  it("counts what the thread got of a busy machine", async () => {
    const { readThreadMs, left } = inTurn([0, 399, 400]);
    const { answering } = open({}, 400, readThreadMs);
    await expect.poll(() => answering.end.aborted, { timeout: 2_000 }).toBe(true);
    expect(left()).toBe(0);
    expect(answering.end.reason).toMatchObject({ code: "pdf_unreadable" });
  });

  it.each([
    ["half of its time", 20, "pdf_unreadable"],
    ["less than half of its time", 19, "engine_busy"],
  ])("at the end of the wait, %s in the file's own work decides", async (_, usedMs, code) => {
    const { readThreadMs } = inTurn([0, usedMs]);
    const { answering } = open({}, 40, readThreadMs);
    await expect.poll(() => answering.end.aborted, { timeout: 2_000 }).toBe(true);
    expect(answering.end.reason).toMatchObject({ code });
  });

  it.each([
    ["gives it no processor", () => 0],
    ["does not report it", () => undefined],
  ])("tells a machine that %s as overload, which a caller tries again", async (_, readThreadMs) => {
    const { answering } = open({}, 40, readThreadMs);
    await expect.poll(() => answering.end.aborted, { timeout: 2_000 }).toBe(true);
    expect(answering.end.reason).toMatchObject({ code: "engine_busy", facts: { retryAfterSeconds: 1 } });
  });

  it("does not count while a question is open, and counts again after its answer", async () => {
    const { answering, asking } = open({ sign: async (message) => sleep(300, message) }, 100);
    await asking.sign(bytes(1));
    expect(answering.end.aborted).toBe(false);
    await expect.poll(() => answering.end.aborted, { timeout: 2_000 }).toBe(true);
  });

  it("does not count after the end of the task", async () => {
    const { answering, asking } = open({}, 300);
    await asking.sign(bytes(1));
    answering.close();
    await sleep(400);
    expect(answering.end.aborted).toBe(false);
  });
});

describe("the number of questions", () => {
  it("may reach its limit", async () => {
    const { answering, asking } = open();
    for (const value of [1, 2, 3]) await asking.sign(bytes(value));
    expect(answering.end.aborted).toBe(false);
  });

  it("ends the thread beyond its limit", async () => {
    const { answering, asking } = open();
    const fourth = [1, 2, 3, 4].map((value) => asking.sign(bytes(value)).catch(() => undefined));
    await expect.poll(() => answering.end.aborted, { timeout: 2_000 }).toBe(true);
    answering.close();
    await Promise.all(fourth);
  });
});
