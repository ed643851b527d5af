import { describe, expect, it } from "vitest";
import { exampleAnswers } from "#contract/examples/answers";
import { routes } from "#contract/routes";
import { startServer } from "#support/http/harness";
import { openBrowser } from "../../../test/harness/browser.ts";
import { saveScreenshot } from "../../../test/harness/screenshot.ts";

describe("the docs page in a browser", () => {
  const browser = openBrowser();

  it("shows the endpoints, and loads nothing from other hosts", async () => {
    const { server } = startServer({
      endpoints: routes.map((route) => ({ route, handle: () => Promise.reject(new Error("unused")) })),
    });
    const address = await server.listen({ host: "127.0.0.1", port: 0 });
    const page = await browser().newPage({ viewport: { width: 1280, height: 900 } });
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`${address}/docs`);
    await page.getByText("Passive liveness and comparison of two faces").first().waitFor();
    const text = await page.locator("body").innerText();
    for (const tag of ["Faces", "Documents", "Document validation", "Users", "Signing", "Pension clearing"])
      expect(text).toContain(tag);
    for (const word of ["Start.", "Key.", "Guides.", "Errors."]) expect(text).toContain(word);
    const { serviceTransactionId } = Object(exampleAnswers["identity"]);
    await page.getByText(serviceTransactionId).first().waitFor();
    const image = process.env["IDEM_DOCS_PICTURE"];
    if (image !== undefined) await saveScreenshot(page, image, { fullPage: false });
    const foreign = asked.filter(
      (url) => !url.startsWith(address) && !url.startsWith("data:") && !url.startsWith("blob:"),
    );
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
    await server.drain();
  });
});
