import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openMailboxServer } from "#support/http/mailbox";
import { openBrowser } from "../../../test/harness/browser.ts";
import { saveScreenshot } from "../../../test/harness/screenshot.ts";

describe("the page of the mailbox in a browser", () => {
  const browser = openBrowser();

  it.each([
    ["desk", 1280, "light"],
    ["phone", 390, "dark"],
  ] as const)(
    "shows messages as they arrive, and a failed signature (%s)",
    async (name, width, colorScheme) => {
      const harness = openMailboxServer();
      const address = await harness.server.listen({ host: "127.0.0.1", port: 0 });
      const page = await browser().newPage({ viewport: { width, height: 900 }, colorScheme });
      const complaints: string[] = [];
      page.on("console", (line) => complaints.push(line.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      await harness.deliver("operation-started");
      await page.goto(`${address}/mailbox`);
      await page.getByLabel("API key").fill(harness.makeKey());
      await page.getByRole("button", { name: "Open" }).click();
      await page.locator(".name", { hasText: "operation_started" }).waitFor();
      await harness.deliver("facial-authentication-evaluated");
      await page.locator(".name", { hasText: "facial_authentication_evaluated" }).waitFor();
      await harness.deliver("passive-liveness-evaluated", (body) =>
        body.replace(/"diagnostic":"\w+"/u, '"diagnostic":"<b>Live</b>"'),
      );
      await page.getByText("not verified", { exact: true }).waitFor();
      await page.locator("summary").first().click();
      await page.getByText("The signature of the event does not hold").waitFor();
      expect(await page.locator("pre").first().innerText()).toContain("<b>Live</b>");
      expect(await page.getByText("verified", { exact: true }).count()).toBe(2);
      const folder = process.env["IDEM_DOCS_PICTURES"];
      if (folder !== undefined) await saveScreenshot(page, join(folder, `mailbox-${name}.png`));
      await page.getByLabel("Show only this text").fill("facial");
      expect(await page.locator("li:visible").count()).toBe(1);
      expect(
        await page.evaluate("document.documentElement.scrollWidth - window.innerWidth"),
      ).toBeLessThanOrEqual(0);
      const started = await page.evaluate("process");
      expect(started).toMatch(/^[0-9a-f-]{36}$/u);
      await page.evaluate("process = 'earlier'; last = 99; void run(++stream)");
      await expect.poll(() => page.evaluate("process")).toBe(started);
      await expect.poll(() => page.evaluate("last")).toBe(3);
      expect(complaints).toEqual([]);
      await page.close();
      await harness.server.drain();
    },
  );
});
