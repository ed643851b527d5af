/** One run of the demo: the images, the steps with their progress, and the story. */
import type { CaptureLanguage } from "#contract/guidance";
import { make } from "../view/dom.ts";
import { captureWith } from "./capture-with.ts";
import type { Client } from "./client.ts";
import { followEvents } from "./events.ts";
import { type Captured, onboard } from "./onboard.ts";
import { problemOf } from "./problem.ts";
import { say } from "./say.ts";
import { type CallCount, showCalls, showTimes } from "./show-calls.ts";
import { makeEventList } from "./show-events.ts";
import { showSection } from "./show-parts.ts";
import { makeProgress, type Progress } from "./show-progress.ts";
import { showStory, showVerdict } from "./show-story.ts";
import type { Choice } from "./source-form.ts";
import { takeDrawn, takeFiles } from "./sources.ts";
import { readStory } from "./story.ts";
import { textOf } from "./texts.ts";

/** What a run needs of the page. */
export type RunPage = {
  readonly service: string;
  readonly client: Client;
  readonly language: () => CaptureLanguage;
  /** The calls since the run began. */
  readonly calls: () => readonly CallCount[];
  /** Adds a section after the others, in the language of the page. */
  readonly add: (section: HTMLElement) => void;
  readonly translated: (part: HTMLElement) => void;
  /** Ends the stream of events. */
  readonly signal: AbortSignal;
};

/** The heading of a new section takes the focus, so that a reader of the screen is led to it. */
export const focusHeading = (section: HTMLElement): void => {
  const heading = section.querySelector("h2");
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus();
};

/** A failure in words, with the way out. */
export const showProblem = (error: unknown): HTMLElement => {
  const { advice, detail } = problemOf(error);
  const section = showSection("problemHeading", [
    say("p", advice, { class: "bad" }),
    make("p", { class: "quiet", text: detail }),
  ]);
  section.setAttribute("role", "alert");
  return section;
};

const addFocused = ({ add }: RunPage, section: HTMLElement): void => {
  add(section);
  focusHeading(section);
};

const take = async (page: RunPage, choice: Choice): Promise<Captured> => {
  const { client } = page;
  if (choice.source === "drawn") return await takeDrawn(client, choice.drawn);
  if (choice.source === "files") return await takeFiles(choice.files, choice.declared);
  const { service, language } = page;
  const show = (section: HTMLElement): void => addFocused(page, section);
  return await captureWith(client, choice.declared, { service, language: language(), show });
};

const showAllCalls = (page: RunPage): HTMLElement => {
  const copied = (button: HTMLElement): void => {
    button.textContent = textOf("copied", page.language());
  };
  return showSection("calls", [
    say("p", "callsHint", { class: "quiet" }),
    showCalls(page.calls(), page.service, copied),
  ]);
};

const tell = async (page: RunPage, captured: Captured, progress: Progress): Promise<void> => {
  const events = makeEventList(page.translated);
  // The stream ends with the next run, or when the service ends it. The story is whole without it.
  followEvents(page.client, captured.operationId, events.add, page.signal).catch(() => undefined);
  const onboarded = await onboard(page.client, captured, progress.begin);
  progress.end(true);
  const story = readStory(onboarded);
  addFocused(page, showVerdict(story, captured));
  for (const section of showStory(story, captured)) page.add(section);
  page.add(showSection("times", [showTimes(page.calls())]));
  page.add(events.element);
  page.add(showAllCalls(page));
};

/** Runs an onboarding with the chosen images. A failure is shown with its calls; it never rejects. */
export const runDemo = async (page: RunPage, choice: Choice): Promise<void> => {
  const progress = makeProgress();
  const isCamera = choice.source === "camera";
  try {
    if (!isCamera) addFocused(page, progress.element);
    progress.begin("images");
    const captured = await take(page, choice);
    if (isCamera) addFocused(page, progress.element);
    await tell(page, captured, progress);
  } catch (error) {
    progress.end(false);
    addFocused(page, showProblem(error));
    page.add(showAllCalls(page));
  }
};
