import { chooseLanguage } from "#contract/guidance";
import { makeCameras } from "../camera/open-camera.ts";
import { type AskedPhone, type Capture, makeCapture } from "../control/capture.ts";
import { type Looker, startLook } from "../look/start-look.ts";
import { makeCall } from "../session/call.ts";
import { makePageKey, type OwnKey } from "../session/page-key.ts";
import type { StepName } from "../session/page-state.ts";
import { makeServiceClock } from "../session/service-clock.ts";
import { makeSession } from "../session/session.ts";
import type { OwnTexts } from "../view/texts.ts";
import { makeEmit } from "./events.ts";
import { observedAttributes, readOptions } from "./options.ts";

/** What the elements of one page share: the look, one worker, and the key of each session. */
export type Shared = {
  readonly sheet: CSSStyleSheet;
  /** Address of the folder that holds worker and weights. */
  readonly files: string;
  readonly looker: () => Promise<Looker>;
  readonly keyOf: (session: string) => Promise<OwnKey>;
  readonly askedOf: (session: string) => AskedPhone;
};

export const makeShared = (files: string, sheet: CSSStyleSheet): Shared => {
  let looker: Promise<Looker> | undefined;
  const keys = new Map<string, Promise<OwnKey>>();
  const asked = new Map<string, ReturnType<AskedPhone["find"]>>();
  return {
    sheet,
    files,
    looker: () => {
      looker ??= startLook(files).catch((error: unknown) => {
        looker = undefined;
        throw error;
      });
      return looker;
    },
    keyOf: (session) => {
      const key = keys.get(session) ?? makePageKey();
      keys.set(session, key);
      return key;
    },
    askedOf: (session) => ({
      find: () => asked.get(session),
      keep: (handoff) => void asked.set(session, handoff),
    }),
  };
};

/** Starts the capture of an element with its options of now; undefined without a session. */
const startCapture = (
  element: HTMLElement,
  ownTexts: OwnTexts,
  offered: readonly StepName[],
  shared: Shared,
): Capture | undefined => {
  const read = (name: string): string | null => element.getAttribute(name);
  const options = readOptions(read, offered, new URL(shared.files).origin, navigator.languages);
  if (options.session === "") return undefined;
  const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [shared.sheet];
  const clock = makeServiceClock(() => Date.now());
  const capture = makeCapture({
    root,
    options,
    hasOwnLanguage: element.hasAttribute("language"),
    ownTexts,
    session: makeSession({
      call: makeCall(options.service, options.session, (...request) => fetch(...request), clock.note),
      now: clock.now,
      makeKey: () => shared.keyOf(options.session),
      language: chooseLanguage(options.languages),
    }),
    cameras: makeCameras(),
    looker: shared.looker,
    asked: shared.askedOf(options.session),
    emit: makeEmit(element, () => options.speaksFacePhi),
  });
  capture.start();
  return capture;
};

/**
 * A custom element that captures these steps.
 *
 * @example
 * ```html
 * <script type="module" src="https://your-idem/widget/idem.js"></script>
 * <idem-face session="the token of a capture session"></idem-face>
 * <script>
 *   const face = document.querySelector("idem-face");
 *   face.addEventListener("idem-captured", ({ detail }) => console.log(detail));
 * </script>
 * ```
 */
export const makeElement = (offered: readonly StepName[], shared: Shared) =>
  class extends HTMLElement {
    static readonly observedAttributes = observedAttributes;
    #capture: Capture | undefined;
    #isPlaced = false;
    #texts: OwnTexts = {};

    /** Texts of the integrator, by kind and code. */
    get texts(): OwnTexts {
      return this.#texts;
    }
    set texts(texts: OwnTexts) {
      this.#texts = texts;
      this.#restart();
    }

    connectedCallback(): void {
      this.#isPlaced = true;
      this.#restart();
    }
    disconnectedCallback(): void {
      this.#isPlaced = false;
      this.#stop();
    }
    attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
      if (before !== after) this.#restart();
    }

    /** Ends the session, as the person's own button does. */
    cancel(): void {
      this.#capture?.cancel();
    }

    #stop(): void {
      this.#capture?.stop();
      this.#capture = undefined;
    }

    #restart(): void {
      this.#stop();
      if (this.#isPlaced) this.#capture = startCapture(this, this.#texts, offered, shared);
    }
  };
