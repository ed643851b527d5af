import { expect, it } from "vitest";
import { publicUrlNote } from "./public-url.ts";

it("is asked for in production alone, where none is set", () => {
  const publicUrl = "https://idem.example.org";
  expect(publicUrlNote({ mode: "production", http: { publicUrl: undefined } })).toContain(
    "IDEM_PUBLIC_URL is not set",
  );
  expect(publicUrlNote({ mode: "production", http: { publicUrl } })).toBeUndefined();
  expect(publicUrlNote({ mode: "development", http: { publicUrl: undefined } })).toBeUndefined();
});
