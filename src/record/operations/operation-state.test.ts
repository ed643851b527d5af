import { describe, expect, it } from "vitest";
import { operationFinishedStatuses } from "#contract/event";
import { endedStates, trackingStatuses } from "#contract/tracking-code";
import { eventStatusOf, judgeFinish, judgeMove } from "./operation-state.ts";
import { writeStatesPage } from "./states-page.ts";

describe("a move of an operation", () => {
  it("is a call that opens it, and keeps it open", () => {
    expect(judgeMove(undefined, { kind: "call" })).toEqual({ state: "open" });
    expect(judgeMove("open", { kind: "call" })).toEqual({ state: "open" });
    expect(judgeMove(undefined, { kind: "callByToken" })).toEqual({ state: "open" });
    expect(judgeMove("open", { kind: "callByToken" })).toEqual({ state: "open" });
  });

  it("ends an open operation in each of the states", () => {
    for (const state of endedStates) expect(judgeMove("open", { kind: "end", state })).toEqual({ state });
  });

  it.each(endedStates)("changes nothing after %s, and only a decision is taken", (state) => {
    const refused = { refused: "operation_finished" };
    expect(judgeMove(state, { kind: "call" })).toEqual(refused);
    expect(judgeMove(state, { kind: "callByToken" })).toBe("dropped");
    for (const next of endedStates) expect(judgeMove(state, { kind: "end", state: next })).toEqual(refused);
    expect(judgeMove(state, { kind: "decision" })).toEqual({ state });
  });

  it("finds no operation to end, and drops a decision on one that was removed", () => {
    expect(judgeMove(undefined, { kind: "end", state: "SUCCEEDED" })).toEqual({ refused: "not_found" });
    expect(judgeMove(undefined, { kind: "decision" })).toBe("dropped");
  });
});

describe("a request to end an operation", () => {
  it("ends an open one, repeats the same end, and is refused for another", () => {
    for (const state of endedStates) {
      expect(judgeFinish("open", state)).toBe("ended");
      for (const end of endedStates)
        expect(judgeFinish(state, end)).toBe(state === end ? "repeated" : "refused");
    }
  });
});

describe("the status of operation_finished", () => {
  it("has every value of the interface, and each end has one", () => {
    const statuses = endedStates.map((state) => eventStatusOf[state]);
    expect([...new Set(statuses)].toSorted()).toEqual([...operationFinishedStatuses].toSorted());
  });

  it("is the status of finishTracking, but for CANCELLED", () => {
    const changed = trackingStatuses.filter((status) => eventStatusOf[status] !== status);
    expect(changed).toEqual(["CANCELLED"]);
    expect(eventStatusOf.CANCELLED).toBe("DENIED");
  });

  it("is published for every state", () => {
    const page = writeStatesPage();
    for (const state of endedStates)
      expect(page).toMatch(new RegExp(`\\| \`${state}\` \\|.*\\| \`${eventStatusOf[state]}\` \\|`));
  });
});
