import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Page } from "playwright-core";

/** A busy machine may have no frame to show for a while. */
const screenshotMsMax = 10_000;

/**
 * Writes what the page shows to `path`, for the eyes of a person. A screenshot that could not be taken is a
 * line of text and fails no test.
 */
export const saveScreenshot = async (
  page: Page,
  path: string,
  { fullPage = true }: { readonly fullPage?: boolean } = {},
): Promise<void> => {
  try {
    await mkdir(dirname(path), { recursive: true });
    await page.screenshot({ path, fullPage, timeout: screenshotMsMax });
  } catch (error) {
    const [reason] = String(error).split("\n");
    process.stderr.write(`No screenshot at ${path}: ${reason}\n`);
  }
};
