/** Parts of the story that several of its sections have. */
import { make } from "../view/dom.ts";
import { labelled, say } from "./say.ts";
import type { Fact } from "./story.ts";
import { type DemoText, isText } from "./texts.ts";

/** A name in the words of the page, or as the service writes it. */
export const nameOf = (name: string): HTMLElement =>
  isText(name) ? say("span", name) : make("code", { text: name });

/** Facts by the service's own names, which no text of the page translates. */
export const showFields = (facts: readonly Fact[]): HTMLElement =>
  make(
    "dl",
    {},
    facts.flatMap(([name, value]) => [
      make("dt", {}, [make("code", { text: name })]),
      make("dd", { text: value }),
    ]),
  );

export const showFacts = (facts: readonly Fact[]): HTMLElement =>
  make(
    "dl",
    {},
    facts.flatMap(([name, value]) => [make("dt", {}, [nameOf(name)]), make("dd", { text: value })]),
  );

export type Cell = string | HTMLElement;

const cellOf = (tag: "td" | "th", cell: Cell, attributes: Record<string, string> = {}): HTMLElement =>
  make(tag, { attributes }, typeof cell === "string" ? [document.createTextNode(cell)] : [cell]);

/** A table that scrolls by itself where the window is narrow. The first cell of each row names it. */
export const showTable = (
  name: DemoText,
  columns: readonly DemoText[],
  rows: readonly (readonly Cell[])[],
): HTMLElement => {
  const head = make(
    "tr",
    {},
    columns.map((column) => say("th", column, { attributes: { scope: "col" } })),
  );
  const body = rows.map(([first = "", ...rest]) =>
    make("tr", {}, [cellOf("th", first, { scope: "row" }), ...rest.map((cell) => cellOf("td", cell))]),
  );
  const table = make("table", {}, [make("thead", {}, [head]), make("tbody", {}, body)]);
  const attributes = { ...labelled(name), role: "group", tabindex: "0" };
  return make("div", { class: "table", attributes }, [table]);
};

/** A bar from 0 to 100 with its number. The number is read, the bar is not. */
export const showBar = (value: number, max: number, written: string): HTMLElement => {
  const bar = make("meter", {
    attributes: { min: "0", max: String(max), value: String(value), "aria-hidden": "true" },
  });
  return make("span", { class: "bar" }, [bar, document.createTextNode(` ${written}`)]);
};

export const showSection = (heading: DemoText, children: readonly Node[]): HTMLElement =>
  make("section", { class: "card" }, [say("h2", heading), ...children]);

/** An image of the page's own bytes. The address lives as long as the page: a story has some of them. */
export const urlOf = (base64: string): string => {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const type = base64.startsWith("iVBOR") ? "image/png" : "image/jpeg";
  return URL.createObjectURL(new Blob([bytes], { type }));
};
