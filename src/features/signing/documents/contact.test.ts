import { describe, expect, it } from "vitest";
import { readContact } from "./contact.ts";

describe("a contact", () => {
  it.each([
    "anna@example.org",
    " anna@example.org ",
    "a.b+c@mail.example.cl",
    "josé@correo.example.pe",
    "ana@ñandú.example",
    `${"a".repeat(64)}@example.org`,
  ])("is an address: %s", (text) => {
    expect(readContact(text)).toBe(text.trim());
  });

  it.each([
    "anna",
    "anna@",
    "@example.org",
    "anna@example",
    "anna@@example.org",
    "anna@example.org,bob@example.org",
    "anna bob@example.org",
    ".anna@example.org",
    "an..na@example.org",
    "anna.@example.org",
    "anna@-example.org",
    "anna@example.o",
    "anna\u0000@example.org",
    "Anna <anna@example.org>",
    `${"a".repeat(65)}@example.org`,
    `anna@${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(63)}.example`,
  ])("is refused where it is no address: %s", (text) => {
    expect(() => readContact(text)).toThrow(expect.objectContaining({ code: "contact_unreadable" }));
  });
});
