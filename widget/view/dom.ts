/** What an element of the page is made from. `on` are listeners, all other fields attributes. */
type Shape = {
  readonly class?: string;
  readonly id?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly click?: () => void;
};

/** An element of HTML. Text is set as text, never as markup. */
export const make = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  shape: Shape = {},
  children: readonly Node[] = [],
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag);
  if (shape.class !== undefined) element.className = shape.class;
  if (shape.id !== undefined) element.id = shape.id;
  if (shape.text !== undefined) element.textContent = shape.text;
  for (const [name, value] of Object.entries(shape.attributes ?? {})) element.setAttribute(name, value);
  if (shape.click !== undefined) element.addEventListener("click", shape.click);
  element.append(...children);
  return element;
};

const svg = "http://www.w3.org/2000/svg";

/** An element of SVG. */
export const makeSvg = (
  tag: string,
  attributes: Readonly<Record<string, string>>,
  children: readonly Node[] = [],
): SVGElement => {
  const element = document.createElementNS(svg, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  if (!(element instanceof SVGElement)) throw new Error(`${tag} is no element of SVG`);
  return element;
};
