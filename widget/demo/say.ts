/** Elements whose text follows the language of the page: the name of the text stands in an attribute. */
import type { CaptureLanguage } from "#contract/guidance";
import { make } from "../view/dom.ts";
import { type DemoText, isText, textOf } from "./texts.ts";

const [textMark, labelMark] = ["data-text", "data-label"];

type Shape = {
  readonly class?: string;
  readonly click?: () => void;
  readonly attributes?: Record<string, string>;
};

/** An element with a text of the page. It is empty until the page is translated. */
export const say = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  name: DemoText,
  shape: Shape = {},
): HTMLElementTagNameMap[Tag] =>
  make(tag, { ...shape, attributes: { ...shape.attributes, [textMark]: name } });

/** The attributes of an element that is named by a text of the page. */
export const labelled = (name: DemoText): Record<string, string> => ({ [labelMark]: name });

/** Writes all texts of this part of the page in a language. */
export const translate = (root: ParentNode, language: CaptureLanguage): void => {
  for (const element of root.querySelectorAll(`[${textMark}]`)) {
    const name = element.getAttribute(textMark) ?? undefined;
    if (isText(name)) element.textContent = textOf(name, language);
  }
  for (const element of root.querySelectorAll(`[${labelMark}]`)) {
    const name = element.getAttribute(labelMark) ?? undefined;
    if (!isText(name)) continue;
    element.setAttribute(element instanceof HTMLImageElement ? "alt" : "aria-label", textOf(name, language));
  }
};
