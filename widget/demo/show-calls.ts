/** The calls of the page: how long each took, and the command that repeats it. */
import { make } from "../view/dom.ts";
import type { MadeCall } from "./client.ts";
import { isImage, writeCurl } from "./curl.ts";
import { say } from "./say.ts";
import { showTable, urlOf } from "./show-parts.ts";
import { writeNumber } from "./story.ts";

/** Calls in their order. A call that was repeated while its answer was awaited counts once. */
export type CallCount = { readonly call: MadeCall; readonly times: number };

const isSame = (one: MadeCall, other: MadeCall): boolean =>
  one.path === other.path && JSON.stringify(one.body) === JSON.stringify(other.body);

/** Adds a call to those before it. */
export const countCall = (calls: readonly CallCount[], call: MadeCall): readonly CallCount[] => {
  const last = calls.at(-1);
  return last !== undefined && isSame(last.call, call)
    ? [...calls.slice(0, -1), { call, times: last.times + 1 }]
    : [...calls, { call, times: 1 }];
};

const titleOf = ({ method, path }: MadeCall): string =>
  `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "…")}`;

/** Long texts of an answer are cut: images and tokens say nothing to a reader. */
const writeAnswer = (answer: unknown): string =>
  JSON.stringify(
    answer,
    (_, value: unknown) =>
      typeof value === "string" && value.length > 400 ? `${value.slice(0, 40)}… (${value.length})` : value,
    2,
  ) ?? "";

const textBlock = (text: string): HTMLElement => {
  const block = make("pre", { text });
  block.tabIndex = 0;
  return block;
};

const copyButton = (text: string, copied: (button: HTMLElement) => void): HTMLElement => {
  const button = say("button", "copy", {
    attributes: { type: "button" },
    click: () => void navigator.clipboard.writeText(text).then(() => copied(button)),
  });
  return button;
};

const saveLink = (name: string, value: string): HTMLElement =>
  make("a", {
    class: "link",
    text: name,
    attributes: {
      href: isImage(value) ? urlOf(value) : URL.createObjectURL(new Blob([value], { type: "text/plain" })),
      download: name,
    },
  });

const showCall = (
  { call, times }: CallCount,
  service: string,
  copied: (button: HTMLElement) => void,
): HTMLElement => {
  const { command, files } = writeCurl(call, service);
  const links = files.map(({ name, value }) => saveLink(name, value));
  const count = times === 1 ? "" : ` × ${times}`;
  return make("li", {}, [
    make("details", {}, [
      make("summary", {
        text: `${titleOf(call)}${count} · ${call.status} · ${writeNumber(Math.round(call.ms))} ms`,
      }),
      textBlock(command),
      make("div", { class: "row" }, [copyButton(command, copied), ...links]),
      say("h3", "answer"),
      textBlock(writeAnswer(call.answer)),
    ]),
  ]);
};

/** Each call with its command and its answer. `copied` reports a command that was copied. */
export const showCalls = (
  calls: readonly CallCount[],
  service: string,
  copied: (button: HTMLElement) => void,
): HTMLElement =>
  make(
    "ul",
    { class: "calls" },
    calls.map((one) => showCall(one, service, copied)),
  );

/** How long the calls took, as the page measured them. */
export const showTimes = (calls: readonly CallCount[]): HTMLElement =>
  showTable(
    "times",
    ["call", "repeats", "value"],
    calls.map(({ call, times }) => [
      make("code", { text: titleOf(call) }),
      String(times),
      `${writeNumber(Math.round(call.ms))} ms`,
    ]),
  );
