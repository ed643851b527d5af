import { type CaptureLanguage, captureLanguages, chooseLanguage } from "#contract/guidance";
import { make } from "../view/dom.ts";
import { textsIn } from "../view/texts.ts";
import { makeLanguages } from "./languages.ts";
import { serviceOf, takeToken } from "./page-address.ts";

/** The flow of a session, or the text of a page without a token: reloaded, or opened without its link. */
const contentFor = (token: string | undefined): HTMLElement => {
  if (token === undefined) return make("section", { class: "card" });
  const flow = document.createElement("idem-flow");
  flow.setAttribute("service", serviceOf(location.href));
  flow.setAttribute("session", token);
  return flow;
};

const named = (text: string): readonly CaptureLanguage[] =>
  captureLanguages.filter((language) => text.split(" ").includes(language));

/** The languages that `idem-ready` states: the session's own, and all that it offers. */
const languagesOf = (event: Event) => {
  const detail: unknown = event instanceof CustomEvent ? event.detail : undefined;
  const fields = new Map<string, unknown>(Object.entries(Object(detail)));
  return {
    chosen: named(String(fields.get("language")))[0],
    offered: named(String(fields.get("languages"))),
  };
};

/** Fills the hosted page: its name, the languages, and the flow of the session of its address. */
export const startCapturePage = (): void => {
  let token = takeToken();
  let language = chooseLanguage(navigator.languages);
  let content = contentFor(token);
  const title = make("h1");
  const main = make("main", {}, [content]);

  const show = (chosen: CaptureLanguage, offered?: readonly CaptureLanguage[]): void => {
    language = chosen;
    const texts = textsIn(chosen, {});
    document.documentElement.lang = chosen;
    document.title = title.textContent = texts.heading("page");
    languages.show(chosen, texts.label("language"), offered);
    if (token !== undefined) return;
    content.replaceChildren(
      make("h2", { text: texts.heading("problem") }),
      make("p", { text: texts.problem("page_link_missing") }),
    );
  };
  const languages = makeLanguages((chosen) => {
    if (token !== undefined) content.setAttribute("language", chosen);
    show(chosen);
  });

  // The session has the last word on the language until the person chooses one.
  main.addEventListener("idem-ready", (event) => {
    const { chosen, offered } = languagesOf(event);
    show(content.hasAttribute("language") ? language : (chosen ?? language), offered);
  });
  // Another link in the same window changes the fragment alone, and loads no page.
  addEventListener("hashchange", () => {
    const next = takeToken();
    if (next === undefined) return;
    token = next;
    content = contentFor(token);
    main.replaceChildren(content);
    show(language, captureLanguages);
  });
  document.body.replaceChildren(make("header", {}, [title, languages.element]), main);
  show(language);
};
