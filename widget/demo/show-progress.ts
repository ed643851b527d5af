import { make } from "../view/dom.ts";
import { type Stage, stages } from "./onboard.ts";
import { say } from "./say.ts";
import { showSection } from "./show-parts.ts";
import type { DemoText } from "./texts.ts";

/** The steps that the person sees. */
const shown: readonly { readonly stage: Stage | "images"; readonly text: DemoText }[] = [
  { stage: "images", text: "stageImages" },
  ...stages.map((stage) => ({ stage, text: stageTexts()[stage] })),
];

function stageTexts(): Readonly<Record<Stage, DemoText>> {
  return {
    verification: "stageVerification",
    quality: "stageQuality",
    finish: "stageFinish",
    records: "stageRecords",
  };
}

export type Progress = {
  readonly element: HTMLElement;
  /** Marks the steps before this one as done. */
  readonly begin: (stage: Stage | "images") => void;
  /** Marks all as done, or leaves the step that failed. The clock stands still. */
  readonly end: (isDone: boolean) => void;
};

/** The steps of an onboarding, the one that runs, and the seconds since its begin. */
export const makeProgress = (): Progress => {
  const items = shown.map(({ stage, text }) => ({ stage, element: say("li", text) }));
  const seconds = make("span", { text: "0" });
  const bar = make("progress", {
    attributes: { max: String(shown.length), value: "0", "aria-hidden": "true" },
  });
  const clock = make("p", { class: "quiet" }, [
    seconds,
    document.createTextNode(" "),
    say("span", "seconds"),
  ]);
  const began = performance.now();
  const tick = setInterval(() => {
    seconds.textContent = String(Math.round((performance.now() - began) / 1000));
  }, 1000);
  const mark = (now: number): void => {
    bar.value = Math.min(now, items.length);
    items.forEach(({ element }, at) => {
      element.dataset["state"] = at < now ? "done" : at === now ? "now" : "open";
      if (at === now) element.setAttribute("aria-current", "step");
      else element.removeAttribute("aria-current");
    });
  };
  const list = make(
    "ol",
    { class: "stages" },
    items.map(({ element }) => element),
  );
  return {
    element: showSection("progressHeading", [list, bar, clock, say("p", "working", { class: "quiet" })]),
    begin: (stage) => mark(items.findIndex((item) => item.stage === stage)),
    end: (isDone) => {
      clearInterval(tick);
      if (isDone) mark(items.length);
    },
  };
};
