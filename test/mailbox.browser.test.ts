/** The page of the mailbox of a whole service. */
import { expect, it } from "vitest";
import { openBrowser } from "./harness/browser.ts";
import { openTenant } from "./harness/tenant.ts";

const browser = openBrowser();

it("has one destination of the mailbox, however often the page is asked to send events there", async () => {
  const service = await openTenant();
  const page = await browser().newPage();
  await page.goto(`${service.url}/mailbox`);
  await page.getByLabel("API key").fill(service.apiKey);
  await page.getByRole("button", { name: "Open" }).click();
  const state = page.locator("#state");
  for (const _ of [1, 2]) {
    await page.getByRole("button", { name: "Send events here" }).click();
    await expect.poll(() => state.textContent()).toContain("here");
    await expect.poll(() => page.locator("#subscribe").isEnabled()).toBe(true);
  }
  expect(await state.textContent()).toBe(
    "Events are sent here already, by the destination Mailbox (active).",
  );
  const answer = await fetch(`${service.url}/operator/destinations`, {
    headers: { "x-api-key": service.apiKey },
  });
  const { destinations } = await answer.json();
  expect(destinations.filter(({ url }: { readonly url: string }) => url === "mailbox:")).toHaveLength(1);
});
