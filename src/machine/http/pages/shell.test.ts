import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { colours, escapeHtml, policyOf, styleSource, writePage } from "./shell.ts";

it("writes a text of the title as text, and says the language", () => {
  const page = writePage({ title: '</title><script>"&', lang: "es", body: "<p>One</p>" });
  expect(page).toContain("<title>&lt;/title&gt;&lt;script&gt;&quot;&amp;</title>");
  expect(page).toContain('<html lang="es">');
  expect(page).not.toContain("<style>");
  expect(escapeHtml("'a'")).toBe("&#39;a&#39;");
});

it("states the hash of the style that stands in the page, colours included", () => {
  const style = "p{margin:0}\n";
  const [, written = ""] = /<style>([^]*)<\/style>/.exec(writePage({ title: "A", style, body: "" })) ?? [];
  expect(written).toBe(`${colours}${style}`);
  expect(styleSource(style)).toBe(`'sha256-${createHash("sha256").update(written).digest("base64")}'`);
});

it("allows nothing but what the policy names, and no frame", () => {
  expect(policyOf({ style: "'self'", img: "data:" })).toBe(
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
});

it("leaves a private page out of search engines, and runs nothing inline", () => {
  const page = writePage({ title: "A", isPrivate: true, head: ["<meta>"], body: "" });
  expect(page).toContain('<meta name="robots" content="noindex">');
  expect(page).not.toMatch(/style=|\son\w+=|<script/);
});
