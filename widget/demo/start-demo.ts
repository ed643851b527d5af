import { type CaptureLanguage, chooseLanguage } from "#contract/guidance";
import { makeLanguages } from "../page/languages.ts";
import { make } from "../view/dom.ts";
import { type Client, makeClient } from "./client.ts";
import { ensureMailbox } from "./events.ts";
import { makeKeyForm } from "./key-form.ts";
import { focusHeading, type RunPage, runDemo, showProblem } from "./run-demo.ts";
import { say, translate } from "./say.ts";
import { type CallCount, countCall } from "./show-calls.ts";
import { type Choice, makeSourceForm } from "./source-form.ts";
import { textOf } from "./texts.ts";

/** The address of the service: this page is `…/demo`. */
const service = new URL(".", location.href).href.replace(/\/$/, "");

/**
 * What the runs share: the place of their sections, and how a section is added in the language of the page.
 */
const makePlace = (language: () => CaptureLanguage) => {
  const element = make("div", { class: "work" });
  const translated = (part: ParentNode): void => translate(part, language());
  return {
    element,
    translated,
    add: (section: HTMLElement): void => {
      element.append(section);
      translated(section);
    },
  };
};

/** The key of the person and the calls that were made with it. */
const makeKeyHolder = () => {
  let calls: readonly CallCount[] = [];
  let client: Client | undefined;
  return {
    calls: () => calls,
    client: () => client,
    forgetCalls: (): void => {
      calls = [];
    },
    /**
     * Takes a key of the test environment: the catalogue of drawn images answers no other. Rejects with
     * CallError.
     */
    take: async (key: string): Promise<void> => {
      client = undefined;
      const asked = makeClient(service, key, (call) => {
        calls = countCall(calls, call);
      });
      await asked.get("/sandbox/v1/personas");
      await ensureMailbox(asked);
      client = asked;
    },
  };
};

/** Runs after runs. A new one takes the place of the one before, and ends its stream of events. */
const makeRuns = (
  { element, add, translated }: ReturnType<typeof makePlace>,
  { client, calls, forgetCalls }: ReturnType<typeof makeKeyHolder>,
  language: () => CaptureLanguage,
) => {
  let following = new AbortController();
  return async (choice: Choice): Promise<void> => {
    const held = client();
    if (held === undefined) return;
    following.abort();
    following = new AbortController();
    forgetCalls();
    element.replaceChildren();
    const { signal } = following;
    const page: RunPage = { service, client: held, language, calls, add, translated, signal };
    await runDemo(page, choice);
  };
};

/** The page of the demo: the key, the images, the steps, and the story. */
export const startDemo = (): void => {
  let language: CaptureLanguage = chooseLanguage(navigator.languages);
  const place = makePlace(() => language);
  const holder = makeKeyHolder();
  const keyNote = make("p", { attributes: { role: "status" } });
  const keyForm = makeKeyForm((key) => void useKey(key), keyNote);
  const runs = makeRuns(place, holder, () => language);
  const sourceForm = makeSourceForm((choice) => {
    sourceForm.button.disabled = true;
    void runs(choice).finally(() => {
      sourceForm.button.disabled = false;
    });
  });
  sourceForm.element.hidden = true;
  const main = make("main", {}, [say("p", "lead"), keyForm, sourceForm.element, place.element]);

  const useKey = async (key: string): Promise<void> => {
    for (const part of [keyNote, place.element]) part.replaceChildren();
    sourceForm.element.hidden = true;
    try {
      await holder.take(key);
    } catch (error) {
      const problem = showProblem(error);
      place.add(problem);
      focusHeading(problem);
      return;
    }
    keyNote.replaceChildren(say("span", "keyAccepted", { class: "good" }));
    place.translated(keyNote);
    sourceForm.element.hidden = false;
    focusHeading(sourceForm.element);
  };

  const languages = makeLanguages((chosen) => show(chosen));
  const show = (chosen: CaptureLanguage): void => {
    language = chosen;
    document.documentElement.lang = chosen;
    document.title = textOf("title", chosen);
    languages.show(chosen, textOf("language", chosen));
    translate(document, chosen);
    for (const element of document.querySelectorAll("idem-flow")) element.setAttribute("language", chosen);
  };
  document.body.replaceChildren(make("header", {}, [say("h1", "title"), languages.element]), main);
  show(language);
};
