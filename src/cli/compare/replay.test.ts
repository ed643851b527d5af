import { describe, expect, it } from "vitest";
import type { FilledRequest } from "./placeholders.ts";
import { replay } from "./replay.ts";
import { readRequestLine } from "./request.ts";
import type { Send, Sent } from "./send.ts";

const rules = { similarityTolerance: 0.05, ignored: new Set<string>() };
const answered = (body: unknown, status = 200): Sent => ({ kind: "answered", answer: { status, body } });
const silent: Sent = { kind: "failed", reason: "it cannot be reached", isSilent: true };
const pending = answered({ status: "PENDING" });
const done = answered({ status: "DONE" });

/** A service that gives these answers one after the other, then the last one again, and keeps what it got. */
const serviceOf = (...answers: readonly Sent[]) => {
  const got: FilledRequest[] = [];
  const send: Send = async (request) => {
    got.push(request);
    return answers[Math.min(got.length, answers.length) - 1]!;
  };
  return { send, got };
};

async function* requestsOf(...lines: readonly object[]) {
  for (const [i, line] of lines.entries()) yield readRequestLine(JSON.stringify(line), i + 1);
}

const replayed = async (lines: readonly object[], theirs: Send, untilMs = 60_000, untilPauseMs = 0) => {
  const ours = serviceOf(answered({ status: "DONE", scan: "our-scan" }));
  const deps = { theirs, ours: ours.send, rules, untilMs, untilPauseMs, onProgress: () => undefined };
  return await replay(requestsOf(...lines), deps);
};

const plain = { path: "/a", body: {} };
const repeated = { ...plain, until: { status: ["DONE"] } };
const times = <Item>(count: number, item: Item): readonly Item[] => Array.from({ length: count }, () => item);

describe("a replay", () => {
  it("ends after five requests in a row without an answer, not after four", async () => {
    const down = serviceOf(silent);
    const ended = await replayed(times(7, plain), down.send);
    expect([ended.isWhole, ended.report.failed, down.got.length]).toEqual([false, 5, 5]);
    const back = serviceOf(...times(4, silent), done, ...times(4, silent), done);
    expect((await replayed(times(10, plain), back.send)).isWhole).toBe(true);
  });

  it("counts a request as silent only where it got no answer at all", async () => {
    const slow = await replayed(times(6, repeated), serviceOf(pending).send, 0, 1);
    expect([slow.isWhole, slow.report.failed]).toEqual([true, 6]);
    const between = serviceOf(...times(4, silent), pending, ...times(4, silent), done);
    expect((await replayed(times(10, repeated), between.send, 0, 1)).isWhole).toBe(true);
    const broken = serviceOf(...times(6, [pending, silent]).flat());
    expect((await replayed(times(6, repeated), broken.send)).isWhole).toBe(true);
  });

  it("leaves a request that could not be sent out of the count", async () => {
    const capturing = { ...plain, capture: { scan: "scan" } };
    const using = { ...plain, body: { scan: "{{scan}}" } };
    const pairs = times(5, [capturing, using]).flat();
    const ended = await replayed(pairs, serviceOf(silent).send);
    expect([ended.isWhole, ended.report.failed]).toEqual([false, 9]);
  });

  it("ends at once where a service refuses the key, and not where it refuses a user", async () => {
    const refused = answered({ message: "Unauthorized" }, 401);
    await expect(replayed([plain, plain], serviceOf(refused).send)).rejects.toThrow(
      "theirs refuses the key (401 Unauthorized): check --their-key-env or --their-key-file",
    );
    const ofUser = answered({ serviceResultCode: -100 }, 401);
    expect((await replayed([plain], serviceOf(ofUser).send)).isWhole).toBe(true);
  });

  it("counts answers that a service had stored", async () => {
    const stored: Sent = { kind: "answered", answer: { status: 200, body: {} }, isStored: true };
    const { report } = await replayed([plain, plain], serviceOf(stored, answered({})).send);
    expect(report.stored).toBe(1);
  });

  it("repeats a request until its time is over, and not beyond", async () => {
    const third = serviceOf(pending, pending, done);
    expect((await replayed([repeated], third.send)).report).toMatchObject({ failed: 0 });
    expect(third.got).toHaveLength(3);
    const once = serviceOf(pending, done);
    const late = await replayed([repeated], once.send, 1000, 1001);
    expect(late.report.operations[0]?.failures).toMatchObject([{ reason: "not settled within 1 s" }]);
    expect(once.got).toHaveLength(1);
  });

  it("never sends a value of an earlier recording for one that failed", async () => {
    const capturing = { ...plain, capture: { scan: "scan" } };
    const using = { ...plain, body: { scan: "{{scan}}" } };
    for (const failure of [silent, answered({}), answered({}, 500)]) {
      const theirs = serviceOf(answered({ scan: "first" }), failure, done);
      const { report } = await replayed([capturing, capturing, using], theirs.send);
      expect(theirs.got).toHaveLength(2);
      expect(report.operations[0]?.failures).toContainEqual({
        service: "theirs",
        reason: "no earlier answer gave {{scan}}",
        count: 1,
        lines: [3],
      });
    }
  });

  it("lets a request use the name that it captures anew, also when it is repeated", async () => {
    const capturing = { ...plain, capture: { scan: "scan" } };
    const both = { ...repeated, body: { scan: "{{scan}}" }, capture: { scan: "scan" } };
    const theirs = serviceOf(answered({ scan: "one" }), pending, answered({ status: "DONE", scan: "two" }));
    await replayed([capturing, both, both], theirs.send);
    expect(theirs.got.map(({ body }) => body)).toEqual([
      {},
      { scan: "one" },
      { scan: "one" },
      { scan: "two" },
    ]);
  });

  it("forgets a value whose request could not be sent", async () => {
    const lines = [
      { ...plain, capture: { scan: "scan", reference: "reference" } },
      { ...plain, body: { reference: "{{reference}}" }, capture: { scan: "scan" } },
      { ...plain, body: { scan: "{{scan}}" } },
    ];
    const theirs = serviceOf(answered({ scan: "first" }), done);
    const { report } = await replayed(lines, theirs.send);
    expect([theirs.got.length, report.failed]).toEqual([1, 2]);
  });
});
