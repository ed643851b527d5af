/**
 * The capture elements: `<script type="module" src="https://your-idem/widget/idem.js">` defines all three.
 */
import { makeElement, makeShared } from "./element/define.ts";
import { makeSheet } from "./view/styles.ts";

const shared = makeShared(new URL("./", import.meta.url).href, makeSheet());

const define = (name: string, steps: readonly ("face" | "document")[]): void => {
  if (customElements.get(name) === undefined) customElements.define(name, makeElement(steps, shared));
};

define("idem-face", ["face"]);
define("idem-document", ["document"]);
define("idem-flow", ["face", "document"]);
