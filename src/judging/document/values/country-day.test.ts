import { expect, it } from "vitest";
import { dayInCountry } from "./country-day.ts";

it.each([
  ["CRI", "2026-11-26T05:59:59Z", "2026-11-25"],
  ["CRI", "2026-11-26T06:00:00Z", "2026-11-26"],
  // The Galápagos are an hour behind the mainland.
  ["ECU", "2026-11-26T05:59:59Z", "2026-11-25"],
  ["ECU", "2026-11-26T06:00:00Z", "2026-11-26"],
  ["DEU", "2026-11-25T23:00:00Z", "2026-11-26"],
  ["DEU", "2026-11-25T22:59:59Z", "2026-11-25"],
  // Not listed, and unknown: UTC-12.
  ["KIR", "2026-11-26T11:59:59Z", "2026-11-25"],
  [undefined, "2026-11-26T12:00:00Z", "2026-11-26"],
])("the day at %s at %s is %s", (country, instant, day) => {
  expect(dayInCountry(new Date(instant), country)).toBe(day);
});
