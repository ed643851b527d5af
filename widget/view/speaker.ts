import { make } from "./dom.ts";

/**
 * What a screen reader says while the person moves: at most every two seconds, and nothing twice in a row.
 */
export type Speaker = {
  readonly status: HTMLElement;
  readonly alert: HTMLElement;
  readonly say: (text: string) => void;
  readonly warn: (text: string) => void;
  readonly close: () => void;
};

export const speakEveryMs = 2_000;

/** The last text that came is spoken when the pause is over; `now` and `later` are the clock of the page. */
export const makeSpeaker = (now: () => number): Speaker => {
  const status = make("p", { class: "hidden", attributes: { role: "status" } });
  const alert = make("p", { class: "hidden", attributes: { role: "alert" } });
  let spokenAt = Number.NEGATIVE_INFINITY;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const speak = (text: string): void => {
    waiting = undefined;
    if (status.textContent === text) return;
    spokenAt = now();
    status.textContent = text;
  };
  return {
    status,
    alert,
    say: (text) => {
      clearTimeout(waiting);
      const wait = spokenAt + speakEveryMs - now();
      if (wait <= 0) speak(text);
      else waiting = setTimeout(() => speak(text), wait);
    },
    warn: (text) => {
      alert.textContent = text;
    },
    close: () => clearTimeout(waiting),
  };
};
