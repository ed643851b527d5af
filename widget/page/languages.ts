import { type CaptureLanguage, captureLanguages } from "#contract/guidance";
import { make } from "../view/dom.ts";

/** Each language by its own name. */
const names: Readonly<Record<CaptureLanguage, string>> = {
  es: "Español",
  en: "English",
  "pt-BR": "Português",
};

/** A button for each language of the session. */
export type Languages = {
  readonly element: HTMLElement;
  /** Marks the chosen language and names the group in it. Languages that are not offered disappear. */
  readonly show: (chosen: CaptureLanguage, groupName: string, offered?: readonly CaptureLanguage[]) => void;
};

export const makeLanguages = (choose: (language: CaptureLanguage) => void): Languages => {
  const buttons = captureLanguages.map((language) => ({
    language,
    element: make("button", {
      text: names[language],
      attributes: { type: "button", lang: language },
      click: () => choose(language),
    }),
  }));
  const element = make(
    "div",
    { class: "languages", attributes: { role: "group" } },
    buttons.map((button) => button.element),
  );
  let shown: readonly CaptureLanguage[] = captureLanguages;
  return {
    element,
    show: (chosen, groupName, offered = shown) => {
      shown = offered;
      element.setAttribute("aria-label", groupName);
      for (const button of buttons) {
        button.element.setAttribute("aria-pressed", String(button.language === chosen));
        button.element.hidden = !offered.includes(button.language);
      }
      element.hidden = offered.length < 2;
    },
  };
};
