/** Where the images come from, and the images. */
import { make } from "../view/dom.ts";
import { field, onSubmit } from "./key-form.ts";
import { say } from "./say.ts";
import { type Declared, type DrawnCase, drawnCases, type Files } from "./sources.ts";
import type { DemoText } from "./texts.ts";

/** What the person chose. */
export type Choice =
  | { readonly source: "drawn"; readonly drawn: DrawnCase }
  | { readonly source: "files"; readonly files: Files; readonly declared: Declared }
  | { readonly source: "camera"; readonly declared: Declared };

type Source = Choice["source"];

const sourceTexts: Readonly<Record<Source, DemoText>> = {
  drawn: "sourceDrawn",
  files: "sourceFiles",
  camera: "sourceCamera",
};

const caseTexts: Readonly<Record<DrawnCase, DemoText>> = {
  genuine: "caseGenuine",
  telephone: "caseTelephone",
  expired: "caseExpired",
  "check-digit": "caseCheck-digit",
};

/** Kinds of documents with their sides. */
const kinds = { PASSPORT: 1, ID_CARD: 2, DRIVING_LICENSE: 2, RESIDENCE_PERMIT: 2 } as const;

const isOneOf =
  <Name extends string>(table: Readonly<Record<Name, unknown>>) =>
  (value: string): value is Name =>
    Object.hasOwn(table, value);

const isSource = isOneOf(sourceTexts);
const isCase = isOneOf(drawnCases);
const isKind = isOneOf(kinds);

const optionOf = (value: string, text: DemoText): HTMLOptionElement => {
  const element = say("option", text);
  element.value = value;
  return element;
};

const makeCases = () => {
  const select = make(
    "select",
    {},
    Object.entries(caseTexts).map(([name, text]) => optionOf(name, text)),
  );
  return {
    elements: [
      say("p", "drawnHint", { class: "quiet" }),
      make("div", { class: "fields" }, [field("caseLabel", select)]),
    ],
    read: (): DrawnCase => (isCase(select.value) ? select.value : "genuine"),
  };
};

/** Fields that say which document is shown. */
const makeDeclaration = () => {
  const country = make("input", {
    attributes: {
      value: "CHL",
      maxlength: "3",
      pattern: "[A-Z]{3}",
      required: "",
      autocomplete: "off",
      spellcheck: "false",
    },
  });
  const kind = make(
    "select",
    {},
    Object.keys(kinds)
      .filter(isKind)
      .map((name) => optionOf(name, name)),
  );
  return {
    elements: [
      say("p", "privacyHint", { class: "quiet" }),
      make("div", { class: "fields" }, [field("country", country), field("idType", kind)]),
    ],
    country,
    isTwoSided: (): boolean => isKind(kind.value) && kinds[kind.value] === 2,
    read: (): Declared => ({ country: country.value.trim(), idType: kind.value }),
  };
};

const fileInput = (): HTMLInputElement =>
  make("input", { attributes: { type: "file", accept: "image/jpeg,image/png,image/webp,image/avif" } });

const makeFiles = () => {
  const [front, back, selfie] = [fileInput(), fileInput(), fileInput()];
  const backField = field("back", back);
  return {
    elements: [make("div", { class: "fields" }, [field("front", front), backField, field("selfie", selfie)])],
    show: (isShown: boolean, isTwoSided: boolean): void => {
      backField.hidden = !isTwoSided;
      for (const input of [front, selfie]) input.required = isShown;
      back.required = isShown && isTwoSided;
    },
    /** Undefined where a file is missing. */
    read: (): Files | undefined => {
      const [frontFile, backFile, selfieFile] = [front, back, selfie].map(({ files }) => files?.[0]);
      if (frontFile === undefined || selfieFile === undefined) return undefined;
      return { front: frontFile, selfie: selfieFile, ...(back.required && backFile && { back: backFile }) };
    },
  };
};

const makeSources = () => {
  const inputs = Object.keys(sourceTexts)
    .filter(isSource)
    .map((source) => {
      const input = make("input", { attributes: { type: "radio", name: "source", value: source } });
      input.checked = source === "drawn";
      return { source, input };
    });
  const choices = inputs.map(({ source, input }) =>
    make("label", { class: "choice" }, [input, say("span", sourceTexts[source])]),
  );
  return {
    element: make("fieldset", {}, [say("legend", "sourceLegend"), ...choices]),
    read: (): Source => inputs.find(({ input }) => input.checked)?.source ?? "drawn",
  };
};

/** The form of the images: only the fields of the chosen source are shown and asked for. */
export const makeSourceForm = (begin: (choice: Choice) => void) => {
  const [sources, cases, declaration, files] = [makeSources(), makeCases(), makeDeclaration(), makeFiles()];
  const button = say("button", "begin", { class: "main", attributes: { type: "submit" } });
  const element = make("form", { class: "card" }, [
    say("h2", "sourceHeading"),
    sources.element,
    ...cases.elements,
    ...declaration.elements,
    ...files.elements,
    button,
  ]);
  const show = (): void => {
    const source = sources.read();
    for (const part of cases.elements) part.hidden = source !== "drawn";
    for (const part of declaration.elements) part.hidden = source === "drawn";
    for (const part of files.elements) part.hidden = source !== "files";
    declaration.country.required = source !== "drawn";
    files.show(source === "files", declaration.isTwoSided());
  };
  const read = (): Choice | undefined => {
    const source = sources.read();
    if (source === "drawn") return { source, drawn: cases.read() };
    if (source === "camera") return { source, declared: declaration.read() };
    const taken = files.read();
    return taken && { source, files: taken, declared: declaration.read() };
  };
  element.addEventListener("change", show);
  onSubmit(element, () => {
    const choice = read();
    if (choice !== undefined) begin(choice);
  });
  show();
  return { element, button };
};
