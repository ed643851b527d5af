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
  readonly showShutter: () => void;
  readonly setProgress: (share: number) => void;
  readonly speaker: Speaker;
  /** An address for an image that this page holds; the one before is released. */
  readonly urlOf: (image: Blob) => string;
  readonly close: () => void;
};

const errors: ReadonlySet<Screen["at"]> = new Set(["problem", "failed", "elsewhere"]);

export const makeFrame = (root: ShadowRoot, now: () => number): Frame => {
  const speaker = makeSpeaker(now);
  const card = make("section", { class: "card" });
  root.replaceChildren(card, speaker.status, speaker.alert);
  let held: { readonly image: Blob; readonly url: string } | undefined;
  let shutter: HTMLElement | undefined;

  const release = (): void => {
    if (held !== undefined) URL.revokeObjectURL(held.url);
    held = undefined;
  };

  return {
    speaker,
    show: (screen, view) => {
      const { heading, nodes } = contentOf(screen, view);
      const title = make("h2", { text: heading, attributes: { tabindex: "-1" } });
      const mark = view.page?.isTest ? [make("p", { class: "mark", text: view.texts.label("testKey") })] : [];
      const hadFocus = root.activeElement !== null;
      const isFirst = card.childElementCount === 0;
      card.lang = view.texts.language;
      card.setAttribute("aria-busy", String(screen.at === "loading"));
      card.replaceChildren(...mark, title, ...nodes);
      // Not on the first screen: a page with other content keeps its own focus.
      if (
        !isFirst &&
        (hadFocus || document.activeElement === document.body || document.activeElement === root.host)
      )
        title.focus();
      speaker.status.lang = view.texts.language;
      speaker.warn(errors.has(screen.at) ? `${heading}. ${nodes[0]?.textContent ?? ""}` : "");
      if (!errors.has(screen.at)) speaker.say(heading);
    },
    showStage: (stage, { texts, actions }) => {
      shutter = make("button", {
        class: "main",
        text: texts.button("shutter"),
        attributes: { type: "button", "data-action": "shutter", hidden: "" },
        click: actions.shutter,
      });
      const others = (["switchCamera", "otherWay", "cancel"] as const).map((name) =>
        make("button", {
          text: texts.button(name),
          attributes: { type: "button", "data-action": name },
          click: actions[name],
        }),
      );
      for (const old of card.querySelectorAll(".live, .actions")) old.remove();
      card.append(stage.element, make("div", { class: "actions" }, [shutter, ...others]));
      stage.say(texts.label("starting"));
    },
    showShutter: () => {
      if (shutter !== undefined) shutter.hidden = false;
    },
    setProgress: (share) => {
      const bar = card.querySelector("progress");
      if (bar !== null) bar.value = share;
    },
    urlOf: (image) => {
      if (held?.image !== image) {
        release();
        held = { image, url: URL.createObjectURL(image) };
      }
      return held?.url ?? "";
    },
    close: () => {
      speaker.close();
      release();
      root.replaceChildren();
    },
  };
};
