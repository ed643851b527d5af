import { problemTextsOf } from "#contract/capture-problem-texts";
import { captureButtons, captureHeadings, captureLabels, captureParagraphs } from "#contract/capture-texts";
import { type CaptureLanguage, type GuidanceCode, guidanceTexts } from "#contract/guidance";

/** Texts of the integrator in place of ours, by kind and code: `{ "button.shutter": "Sacar foto" }`. */
export type OwnTexts = Readonly<Record<string, string>>;

type Values = Readonly<Record<string, number | string>>;

export type Texts = {
  readonly language: CaptureLanguage;
  readonly heading: (name: keyof typeof captureHeadings) => string;
  readonly button: (name: keyof typeof captureButtons) => string;
  readonly label: (name: keyof typeof captureLabels, values?: Values) => string;
  readonly paragraph: (name: keyof typeof captureParagraphs) => string;
  readonly guidance: (code: GuidanceCode) => string;
  readonly problem: (code: string) => string;
};

const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));

export const textsIn = (language: CaptureLanguage, own: OwnTexts): Texts => {
  const pick = (key: string, text: string): string => own[key] ?? text;
  return {
    language,
    heading: (name) => pick(`heading.${name}`, captureHeadings[name][language]),
    button: (name) => pick(`button.${name}`, captureButtons[name][language]),
    label: (name, values = {}) => fill(pick(`label.${name}`, captureLabels[name][language]), values),
    paragraph: (name) => pick(`paragraph.${name}`, captureParagraphs[name][language]),
    guidance: (code) => pick(`guidance.${code}`, guidanceTexts[code][language]),
    problem: (code) => pick(`problem.${code}`, problemTextsOf(code)[language]),
  };
};
