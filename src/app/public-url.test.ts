import { expect, it } from "vitest";
import { roles } from "./module.ts";
import { publicUrlNote, roleUrlNote } from "./public-url.ts";

it("is asked for in production alone, where none is set", () => {
  const publicUrl = "https://idem.example.org";
  expect(publicUrlNote({ mode: "production", http: { publicUrl: undefined } })).toContain(
    "IDEM_PUBLIC_URL is not set",
  );
  expect(publicUrlNote({ mode: "production", http: { publicUrl } })).toBeUndefined();
  expect(publicUrlNote({ mode: "development", http: { publicUrl: undefined } })).toBeUndefined();
});

it("is asked for by a process that writes links and answers none", () => {
  const publicUrl = "https://idem.example.org";
  const noted = roles.filter((role) => roleUrlNote(role, { http: { publicUrl: undefined } }) !== undefined);
  expect(noted).toEqual(["worker", "delivery"]);
  expect(roleUrlNote("delivery", { http: { publicUrl: undefined } })).toMatch(/^IDEM_PUBLIC_URL is not set/);
  for (const role of roles) expect(roleUrlNote(role, { http: { publicUrl } })).toBeUndefined();
  expect(roleUrlNote(undefined, { http: { publicUrl: undefined } })).toBeUndefined();
});
