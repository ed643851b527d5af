import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isOpen,
  judgeMove,
  judgeResumption,
  judgeStep,
  openStates,
  type TransferMove,
  type TransferState,
  transferStates,
} from "./transfer-state.ts";

/** The entity as it is: it may act and lose its answer. The model knows what the service cannot see. */
type Entity = { tickets: number; isAnswerLost: boolean };
type Real = { state: TransferState; hasTicket: boolean; statements: number };

const apply = (real: Real, move: TransferMove): boolean => {
  const next = judgeMove(real.state, move);
  if (next === undefined) return false;
  real.state = next;
  return true;
};

/** Sends the request for a ticket; `fate` is what happens on the way. */
class RunJob implements fc.Command<Entity, Real> {
  readonly fate:
    | "granted"
    | "refused"
    | "not-sent"
    | "lost before"
    | "lost after"
    | "killed before"
    | "killed after";
  constructor(fate: RunJob["fate"]) {
    this.fate = fate;
  }
  check = (): boolean => true;
  toString = (): string => `job: ${this.fate}`;
  run(entity: Entity, real: Real): void {
    const state = openStates.find((one) => one === real.state);
    if (state === undefined) return;
    const step = judgeStep(state, false);
    if (step === "leave-unclear") {
      expect(apply(real, "unknown")).toBe(true);
      return;
    }
    expect(step).not.toBe("repeat-ticket");
    if (step === "ask-ticket" || step === "ask-token") expect(apply(real, step)).toBe(true);
    const isTicket = step === "ask-ticket";
    const acts = this.fate === "granted" || this.fate === "lost after" || this.fate === "killed after";
    if (isTicket && acts) entity.tickets++;
    if (this.fate.startsWith("killed")) return;
    const move = this.fate.startsWith("lost") ? "unknown" : this.fate;
    if (move === "granted" && isTicket) real.hasTicket = true;
    expect(judgeMove(real.state, "granted")).toBe(isTicket ? "ticket" : "token");
    if (move === "granted" || move === "refused" || move === "not-sent" || move === "unknown") {
      expect(apply(real, move)).toBe(true);
    }
  }
}

/** The operator resumes, and tells the truth about tickets of the entity. */
class Resume implements fc.Command<Entity, Real> {
  check = (): boolean => true;
  toString = (): string => "resume";
  run(entity: Entity, real: Real): void {
    const isTicketNamed = !real.hasTicket && entity.tickets > 0;
    const isWithoutTicket = entity.tickets === 0;
    const judged = judgeResumption(real.state, { hasTicket: real.hasTicket, isTicketNamed, isWithoutTicket });
    if (judged === "state-refused" || judged === "statement-missing") return;
    if (isTicketNamed) real.hasTicket = true;
    expect(apply(real, judged)).toBe(true);
  }
}

class ResumeSilently implements fc.Command<Entity, Real> {
  check = (): boolean => true;
  toString = (): string => "resume without a statement";
  run(_: Entity, real: Real): void {
    const asked = { hasTicket: real.hasTicket, isTicketNamed: false, isWithoutTicket: false };
    const judged = judgeResumption(real.state, asked);
    if (judged === "resume-anew") expect(real.state).toBe("refused");
    if (judged === "resume-anew" || judged === "resume-ticket") expect(apply(real, judged)).toBe(true);
  }
}

class Other implements fc.Command<Entity, Real> {
  readonly move: "abandon" | "given-up";
  constructor(move: Other["move"]) {
    this.move = move;
  }
  check = (): boolean => true;
  toString = (): string => this.move;
  run(_: Entity, real: Real): void {
    apply(real, this.move);
  }
}

describe("the states of a transfer", () => {
  it("never lead to a second ticket, whatever is lost or killed", () => {
    const fates = [
      "granted",
      "refused",
      "not-sent",
      "lost before",
      "lost after",
      "killed before",
      "killed after",
    ] as const;
    const commands = [
      fc.constantFrom(...fates).map((fate) => new RunJob(fate)),
      fc.constant(new Resume()),
      fc.constant(new ResumeSilently()),
      fc.constantFrom("abandon" as const, "given-up" as const).map((move) => new Other(move)),
    ];
    fc.assert(
      fc.property(fc.commands(commands, { maxCommands: 40 }), (cmds) => {
        const model: Entity = { tickets: 0, isAnswerLost: false };
        const real: Real = { state: "created", hasTicket: false, statements: 0 };
        fc.modelRun(() => ({ model, real }), cmds);
        expect(model.tickets).toBeLessThanOrEqual(1);
      }),
      { numRuns: 2000 },
    );
  });

  it("that are final lead nowhere", () => {
    const all: readonly TransferMove[] = [
      "ask-ticket",
      "ask-token",
      "not-sent",
      "granted",
      "refused",
      "unknown",
      "given-up",
      "resume-anew",
      "resume-ticket",
      "abandon",
    ];
    for (const move of all) {
      expect(judgeMove("token", move)).toBeUndefined();
      expect(judgeMove("abandoned", move)).toBeUndefined();
    }
  });

  it("have work for the job, or are settled", () => {
    expect(transferStates.filter(isOpen)).toEqual(openStates);
    expect(isOpen("unclear")).toBe(false);
  });

  it("are not abandoned while a call is under way", () => {
    expect(judgeMove("ticket-requested", "abandon")).toBeUndefined();
    expect(judgeMove("token-requested", "abandon")).toBeUndefined();
  });

  it("repeat the request for a ticket only at an entity that answers it equally", () => {
    expect(judgeStep("ticket-requested", true)).toBe("repeat-ticket");
    expect(judgeStep("ticket-requested", false)).toBe("leave-unclear");
    expect(judgeStep("token-requested", false)).toBe("repeat-token");
  });

  it.each([
    ["unclear", { hasTicket: false, isTicketNamed: false, isWithoutTicket: false }, "statement-missing"],
    ["unclear", { hasTicket: false, isTicketNamed: false, isWithoutTicket: true }, "resume-anew"],
    ["unclear", { hasTicket: false, isTicketNamed: true, isWithoutTicket: false }, "resume-ticket"],
    ["unclear", { hasTicket: true, isTicketNamed: false, isWithoutTicket: true }, "resume-ticket"],
    ["refused", { hasTicket: false, isTicketNamed: false, isWithoutTicket: false }, "resume-anew"],
    ["refused", { hasTicket: true, isTicketNamed: false, isWithoutTicket: false }, "resume-ticket"],
    ["created", { hasTicket: false, isTicketNamed: false, isWithoutTicket: true }, "state-refused"],
    ["token", { hasTicket: true, isTicketNamed: false, isWithoutTicket: false }, "state-refused"],
    ["abandoned", { hasTicket: false, isTicketNamed: false, isWithoutTicket: true }, "state-refused"],
  ] as const)("resume from %s with %j: %s", (state, stated, judged) => {
    expect(judgeResumption(state, stated)).toBe(judged);
  });
});
