import { expect, it } from "vitest";
import { certificateForms, negotiateForm } from "./negotiate.ts";

const [json, html, pdf] = certificateForms;

it.each([
  [undefined, json],
  ["", json],
  ["*/*", json],
  ["application/*", json],
  ["text/*", html],
  ["application/json", json],
  ["text/html", html],
  ["application/pdf", pdf],
  ["APPLICATION/PDF", pdf],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", html],
  ["text/html;q=0.5, application/pdf;q=0.6", pdf],
  ["text/html;q=0.6, application/pdf;q=0.5", html],
  ["text/html;q=0.5, application/pdf;q=0.5", html],
  ["application/json;q=0, */*", html],
  ["*/*;q=0.1, application/pdf", pdf],
  ["text/html;level=1;q=0.4, application/pdf;q=0.5", pdf],
  ["text/html;q=abc, application/pdf;q=0.1", pdf],
  ["text/html;q=1.5, application/pdf;q=0.1", pdf],
  ["image/png", undefined],
  ["text/html;q=0", undefined],
  [", ;", json],
])("Accept %s chooses %s", (accept, form) => {
  expect(negotiateForm(accept, certificateForms)).toBe(form);
});

it("chooses among the forms that are available", () => {
  expect(negotiateForm("application/pdf", [json, html])).toBeUndefined();
  expect(negotiateForm("application/pdf, text/html;q=0.2", [json, html])).toBe(html);
});

it("reads no more than a browser sends", () => {
  expect(negotiateForm(`${"image/png,".repeat(32)}text/html`, certificateForms)).toBeUndefined();
  expect(negotiateForm(`${"image/png,".repeat(31)}text/html`, certificateForms)).toBe(html);
});
