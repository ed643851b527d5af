import { describe, expect, it } from "vitest";
import { parseOptions, UsageError, wrongAction, wrongSubject, wrongWord } from "./command.ts";

const parse = (...args: readonly string[]) => parseOptions(args, { scopes: { type: "string" } });

describe("the options of a command", () => {
  it.each([
    [["--scope", "face"], "Unknown option --scope. Did you mean --scopes? List the options: --help"],
    [["--scope=face"], "Unknown option --scope. Did you mean --scopes? List the options: --help"],
    [["--elephant"], "Unknown option --elephant. List the options: --help"],
  ])("are refused with the nearest one: %j", (args, message) => {
    expect(() => parse(...args)).toThrow(new UsageError(message));
  });

  it("without a value are not called unknown", () => {
    expect(() => parse("--scopes")).toThrow(/^Option '--scopes <value>' argument missing$/);
    expect(parse("--scopes", "face").values).toEqual({ scopes: "face" });
  });
});

it.each([
  ["verfy", 'Unknown action "verfy". Did you mean verify? Name an action: idem evidence verify | export'],
  ["elephant", 'Unknown action "elephant". Name an action: idem evidence verify | export'],
  ["--json", "Name an action: idem evidence verify | export"],
  [undefined, "Name an action: idem evidence verify | export"],
])("an unknown action is named with the nearest one: %s", (given, message) => {
  expect(wrongAction("evidence", given, ["verify", "export"]).message).toBe(message);
});

it("an unknown subject is named with the nearest one", () => {
  expect(wrongSubject("train", "livenes", ["liveness", "document-attacks"]).message).toBe(
    'Unknown subject "livenes". Did you mean liveness? Name a subject: idem train liveness | document-attacks',
  );
  expect(wrongSubject("train", undefined, ["liveness"]).message).toBe("Name a subject: idem train liveness");
});

it("an unknown event is named with the nearest one", () => {
  expect(wrongWord("event", "events trigger", "id_capture", ["id_captured", "id_validated"]).message).toBe(
    'Unknown event "id_capture". Did you mean id_captured? Name an event: idem events trigger id_captured | id_validated',
  );
  expect(wrongWord("event", "events trigger", undefined, ["id_captured"]).message).toBe(
    "Name an event: idem events trigger id_captured",
  );
});
