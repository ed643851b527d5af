import { make } from "../view/dom.ts";
import { say } from "./say.ts";
import type { DemoText } from "./texts.ts";

/** A field under its name. */
export const field = (name: DemoText, input: HTMLElement): HTMLElement =>
  make("label", {}, [say("span", name), input]);

export const onSubmit = (form: HTMLFormElement, act: () => void): void =>
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });

/** The form of the key. `note` stands below it and states what became of the key. */
export const makeKeyForm = (use: (key: string) => void, note: HTMLElement): HTMLElement => {
  const input = make("input", {
    attributes: { type: "password", autocomplete: "off", spellcheck: "false", required: "", name: "key" },
  });
  const form = make("form", { class: "card" }, [
    say("h2", "keyHeading"),
    field("keyLabel", input),
    say("p", "keyHint", { class: "quiet" }),
    say("button", "keyButton", { class: "main", attributes: { type: "submit" } }),
    note,
  ]);
  onSubmit(form, () => use(input.value.trim()));
  return form;
};
