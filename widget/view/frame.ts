import type { Screen } from "../flow/flow.ts";
import { make } from "./dom.ts";
import { contentOf, type View } from "./screens.ts";
import { makeSpeaker, type Speaker } from "./speaker.ts";
import type { Stage } from "./stage.ts";

/** The inside of an element: one card with the current screen, and two live regions that stay. */
export type Frame = {
  readonly show: (screen: Screen, view: View) => void;
  /** Puts the camera image under the heading, with the buttons of a running camera. */
  readonly showStage: (stage: Stage, view: Pick<View, "texts" | "actions">) => void;
  /** The button for taking the image by hand. */
  readonly showShutter: (isShown: boolean) => void;
  /** A line above every screen, spoken at once; an empty text removes it. */
  readonly showNotice: (text: string) => void;
  readonly setProgress: (share: number) => void;
  /** A line under the progress of an upload, spoken politely. */
  readonly showPlace: (text: string) => void;
  readonly speaker: Speaker;
  /** An address for an image that this page holds; the one before is released. */
  readonly urlOf: (image: Blob) => string;
  readonly close: () => void;
};

const errors: ReadonlySet<Screen["at"]> = new Set(["problem", "failed", "open_in_other"]);

/** The buttons under a camera image; the shutter comes when it is time for it. */
const liveButtons = ({ texts, actions }: Pick<View, "texts" | "actions">): readonly HTMLElement[] => {
  const buttons = (["shutter", "switchCamera", "otherWay", "cancel"] as const).map((name) =>
    make("button", {
      text: texts.button(name),
      attributes: { type: "button", "data-action": name },
      click: actions[name],
      ...(name === "shutter" && { class: "main" }),
    }),
  );
  buttons[0]!.hidden = true;
  return buttons;
};

/** Draws a screen into the card and returns what a screen reader should hear. */
const draw = (root: ShadowRoot, card: HTMLElement, screen: Screen, view: View): string => {
  const { heading, nodes } = contentOf(screen, view);
  const title = make("h2", { text: heading, attributes: { tabindex: "-1" } });
  const mark = view.page?.isTest ? [make("p", { class: "mark", text: view.texts.label("testKey") })] : [];
  // Not when the page loads, and not from another part of it: the focus stays where it is.
  const { activeElement } = document;
  const isOurs =
    root.activeElement !== null || activeElement === document.body || activeElement === root.host;
  const isLoad = card.childElementCount === 0 || card.getAttribute("aria-busy") === "true";
  card.lang = view.texts.language;
  card.setAttribute("aria-busy", String(screen.at === "loading"));
  card.replaceChildren(...mark, title, ...nodes);
  if (!isLoad && isOurs) title.focus();
  return errors.has(screen.at) ? `${heading}. ${nodes[0]?.textContent ?? ""}` : heading;
};

/** The address of one image at a time. */
const makeHolder = () => {
  let held: { readonly image: Blob; readonly url: string } | undefined;
  const release = (): void => {
    if (held !== undefined) URL.revokeObjectURL(held.url);
    held = undefined;
  };
  const urlOf = (image: Blob): string => {
    if (held?.image === image) return held.url;
    release();
    held = { image, url: URL.createObjectURL(image) };
    return held.url;
  };
  return { release, urlOf };
};

export const makeFrame = (root: ShadowRoot, now: () => number): Frame => {
  const speaker = makeSpeaker(now);
  const card = make("section", { class: "card" });
  const notice = make("p", { class: "notice", attributes: { hidden: "" } });
  root.replaceChildren(notice, card, speaker.status, speaker.alert);
  const { release, urlOf } = makeHolder();
  return {
    speaker,
    urlOf,
    show: (screen, view) => {
      const text = draw(root, card, screen, view);
      for (const region of [speaker.status, speaker.alert]) region.lang = view.texts.language;
      const isError = errors.has(screen.at);
      speaker.warn(isError ? text : "");
      if (!isError) speaker.say(text);
    },
    showStage: (stage, view) => {
      for (const old of card.querySelectorAll(".live, .actions")) old.remove();
      card.append(stage.element, make("div", { class: "actions" }, liveButtons(view)));
      stage.say(view.texts.label("starting"));
    },
    showShutter: (isShown) => {
      card.querySelector("[data-action=shutter]")?.toggleAttribute("hidden", !isShown);
    },
    showNotice: (text) => {
      notice.textContent = text;
      notice.lang = card.lang;
      notice.hidden = text === "";
      speaker.warn(text);
    },
    setProgress: (share) => {
      const bar = card.querySelector("progress");
      if (bar !== null) bar.value = share;
    },
    showPlace: (text) => {
      const line = card.querySelector(".place");
      if (line === null || line.textContent === text) return;
      line.textContent = text;
      speaker.say(text);
    },
    close: () => {
      speaker.close();
      release();
      root.replaceChildren();
    },
  };
};
