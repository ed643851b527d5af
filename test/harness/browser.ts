import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { browserOptions } from "./browser-options.ts";

/**
 * A browser for the tests of this `describe`, with a folder of its own. The function returns it while they run. `flags` are
 * further arguments of Chromium, made in that folder before the start.
 */
export const openBrowser = (
  flags: (folder: string) => Promise<readonly string[]> = async () => [],
): (() => Browser) => {
  let opened: { readonly browser: Browser; readonly scratch: string } | undefined;

  beforeAll(async () => {
    const scratch = await mkdtemp(join(tmpdir(), "idem-browser-"));
    const browser = await playwright.launch(
      browserOptions(await chromium.executablePath(), scratch, await flags(scratch)),
    );
    opened = { browser, scratch };
  });

  afterAll(async () => {
    if (opened === undefined) return;
    await opened.browser.close();
    await rm(opened.scratch, { recursive: true, force: true });
  });

  return () => {
    if (opened === undefined) throw new Error("The browser is open only while the tests run");
    return opened.browser;
  };
};
