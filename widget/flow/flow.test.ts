import { describe, expect, it } from "vitest";
import type { PageState, StepAnswer } from "../session/page-state.ts";
import {
  advance,
  type Flow,
  type FlowEvent,
  type FlowRules,
  isDone,
  type Screen,
  screenFor,
  startFlow,
} from "./flow.ts";

const rules: FlowRules = {
  steps: ["face", "document"],
  hasPreview: true,
  hasCamera: true,
  hasAskedPhone: false,
};
const page: PageState = {
  sessionId: "s",
  state: "OPEN",
  expiresAt: "",
  language: "es",
  languages: ["es"],
  consent: { version: "1", text: "", accepted: true },
  level: "active-turn",
  steps: [
    { name: "face", state: "open", triesLeft: 3 },
    { name: "document", state: "open", side: "front", triesLeft: 3 },
  ],
  isTest: false,
};
const withoutConsent = { ...page, consent: { ...page.consent, accepted: false } };
const faceDone: PageState = { ...page, steps: [{ ...page.steps[0]!, state: "accepted" }, page.steps[1]!] };
const answer = (result: StepAnswer["result"], next: PageState): StepAnswer => ({
  step: "face",
  result,
  guidance: ["closer"],
  triesLeft: 2,
  page: next,
});

const run = (events: readonly FlowEvent[], from: Flow = startFlow, by: FlowRules = rules): Flow =>
  events.reduce((flow, event) => advance(flow, event, by), from);
const opened = { is: "opened", page } as const;
const live: readonly FlowEvent[] = [opened, { is: "openCamera" }, { is: "cameraOpen" }];

describe("the flow", () => {
  it("asks for consent before any camera, then goes through both steps", () => {
    const asked = run([{ is: "opened", page: withoutConsent }]);
    expect(asked.screen.at).toBe("consent");
    expect(run([{ is: "openCamera" }, { is: "fileChosen" }, { is: "captured" }], asked)).toBe(asked);
    const face = run([opened], asked);
    expect(face.screen).toMatchObject({ at: "intro", target: { step: "face" } });
    const sent = run(
      [
        { is: "openCamera" },
        { is: "cameraOpen" },
        { is: "turnBegan" },
        { is: "stepDone" },
        { is: "captured" },
        { is: "use" },
      ],
      face,
    );
    expect(sent.screen).toMatchObject({ at: "sending", source: "camera" });
    const next = run([{ is: "judged", answer: answer("accepted", faceDone) }], sent);
    expect(next.screen).toEqual({ at: "intro", target: { step: "document", side: "front" } });
    const done = { ...faceDone, state: "COMPLETED" } as const;
    expect(run([{ is: "opened", page: done }], next).screen.at).toBe("finished");
  });

  it("ends an element of one step when that step is accepted, whatever else the session has", () => {
    const own: FlowRules = { ...rules, steps: ["face"] };
    expect(screenFor(faceDone, own).at).toBe("finished");
    expect(screenFor(page, { ...rules, steps: ["document"] })).toMatchObject({
      target: { step: "document" },
    });
  });

  it("sends without a preview where the integrator left it out", () => {
    expect(run([...live, { is: "captured" }], startFlow, { ...rules, hasPreview: false }).screen.at).toBe(
      "sending",
    );
  });

  it("says what to do after a refusal, and ends when no try is left", () => {
    const sending = run([...live, { is: "captured" }, { is: "use" }]);
    expect(run([{ is: "judged", answer: answer("again", page) }], sending).screen).toMatchObject({
      at: "again",
      source: "camera",
      guidance: ["closer"],
      triesLeft: 2,
    });
    expect(run([{ is: "judged", answer: answer("failed", page) }], sending).screen.at).toBe("failed");
  });

  it("remembers a file, so that a refusal asks for another one", () => {
    const sending = run([opened, { is: "fileChosen" }, { is: "use" }]);
    const refused = { is: "refused", code: "image_unreadable" } as const;
    for (const event of [{ is: "judged", answer: answer("again", page) } as const, refused]) {
      expect(run([event], sending).screen).toMatchObject({ source: "upload" });
    }
    expect(run([refused], run([opened, { is: "openCamera" }])).screen).not.toHaveProperty("source");
  });

  it("pauses when the page is hidden, and only while the camera runs", () => {
    for (const part of [[], [{ is: "turnBegan" }] as const]) {
      expect(run([...live, ...part, { is: "hidden" }]).screen.at).toBe("paused");
    }
    const sending = run([...live, { is: "captured" }, { is: "use" }]);
    expect(run([{ is: "hidden" }], sending)).toBe(sending);
    expect(run([{ is: "again" }], run([...live, { is: "hidden" }])).screen.at).toBe("starting");
  });

  it("lets no late answer of the camera move a person back", () => {
    const preview = run([...live, { is: "captured" }]);
    for (const late of ["cameraOpen", "stepDone", "turnBegan", "captured", "slow", "hidden"] as const) {
      expect(run([{ is: late }], preview)).toBe(preview);
    }
    expect(run([{ is: "cameraFailed", code: "camera_silent" }], preview)).toBe(preview);
  });

  it("offers the session of another window, and never leaves an end", () => {
    expect(run([{ is: "refused", code: "capture_open_elsewhere" }]).screen.at).toBe("open_in_other");
    const cancelled = run([opened, { is: "cancel" }]);
    expect(cancelled.screen.at).toBe("cancelled");
    expect(run([opened, { is: "again" }], cancelled)).toBe(cancelled);
  });

  it("is done where another page alone captures, so that it announces no end of the session", () => {
    const refused = (code: string) => run([{ is: "refused", code, page: faceDone }]);
    const bound = refused("capture_bound");
    expect(bound.page?.state).toBe("OPEN");
    expect(isDone(bound.screen)).toBe(true);
    const others = ["capture_open_elsewhere", "capture_judging", "page_offline"].map(refused);
    for (const { screen } of [...others, run(live)]) expect(isDone(screen)).toBe(false);
    for (const is of ["finished", "failed", "cancelled"] as const) expect(isDone({ at: is })).toBe(true);
  });

  it("goes on after the time is over, as often as the person asks", () => {
    const slow = run([...live, { is: "slow" }]);
    expect(slow.screen.at).toBe("moreTime");
    expect(run([{ is: "again" }, { is: "cameraOpen" }, { is: "slow" }], slow).screen.at).toBe("moreTime");
  });

  it("compares codes on a telephone that finds a hand-off, not on the page that asked for it", () => {
    const waiting = { ...page, handoff: { code: "4821", state: "waiting" } };
    const phone = run([{ is: "opened", page: waiting }]);
    expect(phone.screen.at).toBe("confirm");
    expect(
      run([{ is: "opened", page: { ...page, handoff: { code: "4821", state: "confirmed" } } }], phone).screen
        .at,
    ).toBe("intro");
    const first = run([opened, { is: "otherWay" }, { is: "handoff" }]);
    expect(first.screen.at).toBe("handoff");
    expect(run([{ is: "back" }], first).screen.at).toBe("intro");
  });

  it("shows its own code again when the page that asked for a telephone starts anew", () => {
    const waiting = { ...page, handoff: { code: "4821", state: "waiting" } };
    const asked = { ...rules, hasAskedPhone: true };
    expect(run([{ is: "opened", page: waiting }], startFlow, asked).screen).toEqual({
      at: "handoff",
      target: { step: "face" },
    });
    const ended = { ...waiting, state: "EXPIRED" } as const;
    for (const each of [rules, asked]) {
      expect(run([{ is: "opened", page: ended }], startFlow, each).screen.at).toBe("problem");
    }
  });

  it("is no telephone after it took the session over from another window", () => {
    const waiting = { ...page, handoff: { code: "4821", state: "waiting" } };
    const other = run([{ is: "refused", code: "capture_open_elsewhere" }]);
    expect(run([{ is: "opened", page: waiting }], other).screen.at).toBe("intro");
  });

  it("opens no camera where the telephone must do it", () => {
    const forced = { ...rules, hasCamera: false };
    for (const is of ["openCamera", "switchCamera", "again"] as const) {
      expect(run([opened, { is }], startFlow, forced).screen.at).toBe("intro");
    }
    const again = run([opened, { is: "fileChosen" }, { is: "use" }], startFlow, forced);
    const refused = run([{ is: "judged", answer: answer("again", page) }, { is: "again" }], again, forced);
    expect(refused.screen.at).toBe("intro");
  });

  it("returns to the question after a refused consent", () => {
    const declined = run([{ is: "opened", page: withoutConsent }, { is: "declined" }]);
    expect(declined.screen.at).toBe("declined");
    expect(run([{ is: "back" }], declined).screen.at).toBe("consent");
  });

  it("shows the end of every session", () => {
    const at = (state: PageState["state"]): Screen["at"] => screenFor({ ...page, state }, rules).at;
    expect([at("COMPLETED"), at("FAILED"), at("CANCELLED"), at("EXPIRED")]).toEqual([
      "finished",
      "failed",
      "cancelled",
      "problem",
    ]);
    const failed: PageState = { ...page, steps: [{ ...page.steps[0]!, state: "failed" }] };
    expect(screenFor(failed, rules).at).toBe("failed");
  });
});
