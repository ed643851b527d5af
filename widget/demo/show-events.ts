import { make } from "../view/dom.ts";
import type { ReceivedEvent } from "./events.ts";
import { say } from "./say.ts";
import { showSection } from "./show-parts.ts";

export type EventList = {
  readonly element: HTMLElement;
  readonly add: (event: ReceivedEvent) => void;
};

const showEvent = ({ name, receivedAt, isVerified, body }: ReceivedEvent): HTMLElement => {
  const time = make("time", { text: receivedAt.slice(11, 23), attributes: { datetime: receivedAt } });
  const text = make("pre", { text: JSON.stringify(body, null, 2) });
  text.tabIndex = 0;
  const check = say("span", isVerified ? "verified" : "notVerified", { class: isVerified ? "good" : "bad" });
  return make("details", {}, [
    make("summary", {}, [
      make("code", { text: name }),
      document.createTextNode(" "),
      time,
      document.createTextNode(" "),
      check,
    ]),
    text,
  ]);
};

/**
 * The events of the operation in their sequence, as they arrive. An event that arrives twice is shown once.
 */
export const makeEventList = (added: (element: HTMLElement) => void): EventList => {
  const known = new Map<string, { readonly sequence: number; readonly element: HTMLElement }>();
  const waiting = say("p", "eventsWaiting", { class: "quiet" });
  const list = make("ol", { class: "events" });
  return {
    element: showSection("events", [waiting, list]),
    add: (event) => {
      if (known.has(event.id)) return;
      waiting.hidden = true;
      const element = make("li", {}, [showEvent(event)]);
      known.set(event.id, { sequence: event.sequence, element });
      const inOrder = [...known.values()].sort((one, other) => one.sequence - other.sequence);
      list.replaceChildren(...inOrder.map((one) => one.element));
      added(element);
    },
  };
};
