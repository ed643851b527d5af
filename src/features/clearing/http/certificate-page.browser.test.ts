import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anImage } from "#support/clearing/fill-store";
import { type ClearingHarness, openClearingHarness } from "#support/clearing/harness";
import { openBrowser } from "../../../../test/harness/browser.ts";
import { saveScreenshot } from "../../../../test/harness/screenshot.ts";

let harness: ClearingHarness;
let address: string;
beforeAll(async () => {
  harness = await openClearingHarness();
  address = await harness.server.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => harness.close());

type Environment = "live" | "test";

/** A fresh link of a certificate, as a clearing entity opens it. */
const linkTo = async (environment: Environment): Promise<string> => {
  const image = anImage();
  const transaction = await harness.identify({ reference: image, environment, level: "active-turn" });
  const { key, verify } = harness.callerOf({ environment });
  const { token } = (await verify(transaction, await harness.validate({ images: [image], environment })))
    .body;
  return `${address}/services/clearing/${transaction}/certificate?token=${token}&apiKey=${key}`;
};

const cases = [
  ["a telephone", 390, "light", "live"],
  ["a telephone", 390, "dark", "live"],
  ["a desk", 1280, "light", "live"],
  ["a desk", 1280, "dark", "test"],
] as const;

const heads: Readonly<Record<Environment, readonly string[]>> = {
  live: ["Certificado de verificación de identidad", "Identidad verificada el"],
  test: ["Certificado de prueba, sin valor", "No acredita la identidad de nadie"],
};

describe("the certificate in a browser", () => {
  const browser = openBrowser();

  it.each(cases)("is readable on %s (%i px), %s, of a %s key", async (_, width, colorScheme, environment) => {
    const page = await browser().newPage({ viewport: { width, height: 880 }, colorScheme });
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => complaints.push(message.text()));
    const answer = await page.goto(await linkTo(environment));
    expect(answer?.headers()["content-type"]).toBe("text/html; charset=utf-8");
    const text = await page.locator("main").innerText();
    for (const shown of [
      ...heads[environment],
      "ANNA MARÍA <b>",
      "ERIKSSON",
      "12-08-1974",
      "12.345.678-5",
      "99,21 %",
      "Menos de 1 en 10.000, contado sobre 7.255.541 pares",
      "Persona viva (resultado 3)",
      "La cabeza giró como lo pidió un desafío nuevo",
      "Aprobada (código 9001)",
      "Verificadora de Ejemplo SpA",
    ]) {
      expect(text).toContain(shown);
    }
    // No line is wider than the window, and the style was admitted.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(colour).toBe(colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(20, 23, 27)");
    const code = await page.locator("svg").boundingBox();
    expect(code?.width).toBeGreaterThan(150);
    const folder = process.env["IDEM_CERTIFICATE_PICTURES"];
    if (folder !== undefined) await saveScreenshot(page, join(folder, `${width}-${colorScheme}.png`));
    expect(asked.filter((url) => !url.startsWith(address))).toEqual([]);
    expect(asked.filter((url) => !url.endsWith("/favicon.ico"))).toHaveLength(1);
    expect(complaints.filter((line) => !line.includes("favicon"))).toEqual([]);
    await page.close();
  });

  it("tells a clerk in Spanish that an address opens nothing any more", async () => {
    const page = await browser().newPage({ viewport: { width: 390, height: 844 } });
    const answer = await page.goto((await linkTo("live")).replace("token=", "token=a"));
    expect(answer?.status()).toBe(404);
    expect(await page.locator("main").innerText()).toMatch(/no abre ningún certificado[\s\S]*Pida una nueva/);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await page.locator(".note").evaluate((note) => getComputedStyle(note).borderLeftWidth)).toBe(
      "4px",
    );
    const folder = process.env["IDEM_CERTIFICATE_PICTURES"];
    if (folder !== undefined)
      await saveScreenshot(page, join(folder, "390-refusal.png"), { fullPage: false });
    await page.close();
  });
});
