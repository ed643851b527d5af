import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { saveScreenshot } from "../harness/screenshot.ts";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const shots = new URL("./shots/", import.meta.url);

/** What axe finds on the page as it stands, with the elements that it names. */
export const accessibilityFaults = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe);
  return await page.evaluate(
    `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations.map((one) => one.id + ": " + one.nodes.map((node) => node.html).join(" ")))`,
  );
};

/** Pixels by which the page is wider than its window, and buttons and links smaller than 44 px. */
export const layoutFaults = async (page: Page): Promise<readonly string[]> =>
  await page.evaluate(`(() => {
    const roots = [document, ...[...document.querySelectorAll("*")].flatMap((one) => one.shadowRoot ?? [])];
    const targets = roots.flatMap((root) => [...root.querySelectorAll("button, a, label.file")]);
    const small = targets.filter((one) => one.offsetParent && (one.offsetHeight < 44 || one.offsetWidth < 44));
    const wide = document.documentElement.scrollWidth - innerWidth;
    return [...small.map((one) => "small: " + one.outerHTML), ...(wide > 0 ? ["wider by " + wide] : [])];
  })()`);

/** A person who looks at them asks for them: they take a third of the processor's time of these tests. */
const isWanted = process.env["SHOTS"] === "1";

/** With SHOTS=1 writes what the page shows to test/e2e/shots/, for the eyes of a person. */
export const shoot = async (page: Page, name: string): Promise<void> => {
  if (isWanted) await saveScreenshot(page, new URL(`${name}.png`, shots).pathname);
};
