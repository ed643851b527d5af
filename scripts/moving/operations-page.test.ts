import { readFileSync } from "node:fs";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { route } from "#contract/endpoint";
import type { FailureCode } from "#contract/failure";
import { routes } from "#contract/routes";
import { variables } from "#machine/config/variables";
import { compareRoute, isOfInterface, writeOperationsPage } from "./operations-page.ts";
import { strictFailures, strictRetry, strictRoutes } from "./strictness.ts";

const page = writeOperationsPage(routes);
const [, , operationRows = "", strictRows = ""] = page.trimEnd().split("\n\n");
const lines = operationRows.split("\n").slice(2);

const operation = {
  path: "/one",
  method: "POST",
  required: ["image"],
  optional: ["tracking.operationId"],
  answer: { result: "integer" },
} as const;

const routeWith = (change: { request?: object; response?: object; failures?: readonly FailureCode[] }) =>
  route({
    name: "one",
    method: "POST",
    path: "/one",
    scope: "face",
    tag: "Test",
    summary: "",
    request: Type.Object({
      image: Type.String(),
      ...change.request,
    }),
    response: Type.Object({ result: Type.Integer(), ...change.response }),
    failures: change.failures ?? [],
  });

/** Everything stricter that the operations' rows name. */
const shownStrictness = (rows: readonly string[]) =>
  [strictRetry, ...Object.values(strictFailures), ...Object.values(strictRoutes).flat()].filter(({ what }) =>
    rows.some((line) => line.includes(what)),
  );

describe("the table of operations", () => {
  it("has one row for each operation of the interface", () => {
    const ofInterface = routes.filter(isOfInterface);
    expect(lines).toHaveLength(ofInterface.length);
    for (const [at, one] of ofInterface.entries()) {
      expect(lines[at]).toContain(`\`${one.method} ${one.path}\``);
    }
  });

  it("gives a reason and a switch for everything that is stricter", () => {
    for (const { what, reason, switch: end } of [
      strictRetry,
      ...Object.values(strictFailures),
      ...Object.values(strictRoutes).flat(),
    ]) {
      expect(
        [what, reason, end].every((text) => text.length > 5),
        what,
      ).toBe(true);
      for (const [name] of end.matchAll(/IDEM_[A-Z_]+/g)) expect(variables.properties).toHaveProperty(name);
    }
    const shown = strictRows.split("\n").slice(2);
    for (const { what, reason, switch: end } of shownStrictness(lines)) {
      expect(shown).toContain(`| ${what} | ${reason} | ${end} |`);
    }
    for (const name of Object.keys(strictRoutes)) expect(routes.map((one) => one.name)).toContain(name);
  });

  it("names every refusal of finishTracking, and how to avoid it", () => {
    const [row = ""] = lines.filter((line) => line.includes("finishTracking"));
    expect(row).toContain("| stricter |");
    expect(row).toContain("(404)");
    expect(row).toContain("(409)");
    expect(strictRows).toContain("`operationId` beside the token");
  });

  it("calls a route exact, wider or stricter by its contract", () => {
    expect(compareRoute(routeWith({}), operation)).toEqual({ word: "exact", wider: [], strict: [] });
    expect(compareRoute(routeWith({ response: { more: Type.String() } }), operation)).toMatchObject({
      word: "wider",
      wider: ["answers `more`"],
    });
    const inside = { result: Type.Integer(), part: Type.Object({ more: Type.Optional(Type.Integer()) }) };
    const withPart = { ...operation, answer: { result: "integer", part: { object: {} } } } as const;
    expect(compareRoute(routeWith({ response: inside }), withPart).wider).toEqual(["answers `part.more`"]);
    const loose = { image: Type.Optional(Type.String()), note: Type.Optional(Type.String()) };
    expect(compareRoute(routeWith({ request: loose }), operation)).toMatchObject({
      word: "wider",
      wider: ["takes `note`", "does not always need `image`"],
    });
    expect(compareRoute(routeWith({ failures: ["engine_busy"] }), operation).word).toBe("exact");
    expect(compareRoute(routeWith({ failures: ["token_replayed"] }), operation)).toMatchObject({
      word: "stricter",
      strict: [strictFailures.token_replayed],
    });
    const tracked = routeWith({ request: { tracking: Type.Optional(Type.Object({})) } });
    expect(compareRoute(tracked, operation)).toEqual({
      word: "stricter",
      wider: [],
      strict: [strictFailures.operation_finished],
    });
    const retried = { ...routeWith({}), oneUseToken: "image" };
    expect(compareRoute(retried, operation).strict).toEqual([strictRetry]);
  });
});

describe("the moving guide", () => {
  it("leads to the table", () => {
    const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
    expect(read("api/compared-operations.md")).toBe(page);
    expect(read("docs/guides/integrate/moving-here.md")).toContain("](../../../api/compared-operations.md)");
  });
});
