import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventTopic } from "#contract/event";
import { eventNames } from "#contract/event-envelope";
import { startServer } from "#support/http/harness";
import { openBrowser } from "../../../test/harness/browser.ts";
import { saveScreenshot } from "../../../test/harness/screenshot.ts";

describe("the page of events in a browser", () => {
  const browser = openBrowser();

  it.each([
    ["desk", 1280, "light"],
    ["phone", 390, "dark"],
  ] as const)(
    "shows every event on a %s, within its width, and loads nothing else",
    async (name, width, colorScheme) => {
      const { server } = startServer();
      const address = await server.listen({ host: "127.0.0.1", port: 0 });
      const page = await browser().newPage({ viewport: { width, height: 900 }, colorScheme });
      const asked: string[] = [];
      const complaints: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      page.on("console", (message) => complaints.push(message.text()));
      await page.goto(`${address}/docs/events`);
      const text = await page.locator("body").innerText();
      for (const event of eventNames) {
        expect(text).toContain(eventTopic[event]);
        expect(text).toContain(`com.idem.api.workflows.${event}.v1`);
      }
      const overflow = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
      expect(overflow).toBeLessThanOrEqual(0);
      const folder = process.env["IDEM_DOCS_PICTURES"];
      if (folder !== undefined) await saveScreenshot(page, join(folder, `events-${name}.png`));
      expect(asked.filter((url) => !url.startsWith("data:"))).toEqual([`${address}/docs/events`]);
      expect(complaints).toEqual([]);
      await page.close();
      await server.drain();
    },
  );
});
