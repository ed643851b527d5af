import { expect, it } from "vitest";
import { describeHolder } from "./storage.ts";

it("a process with the data directory may serve the port where the store does not answer whether it does", () => {
  const { found, advice } = describeHolder("42", 8081, { kind: "service" }, undefined);
  expect(found).toBe(
    "process 42 has the data directory open; the store does not show whether it serves port 8081",
  );
  expect(advice).toBeDefined();
});

it.each([
  ["none", undefined],
  ["program", undefined],
  ["service", false],
] as const)("a process with the data directory does not serve the port: %s, %s", (kind, isOurs) => {
  expect(describeHolder("42", 8081, { kind }, isOurs).found).toBe(
    "process 42 has the data directory open, but not port 8081",
  );
});
