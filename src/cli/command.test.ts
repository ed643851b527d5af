import { describe, expect, it, vi } from "vitest";
import { parseOptions, printListing, UsageError, wrongAction, wrongSubject, wrongWord } from "./command.ts";

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

it.each([
  [[["a", "1"]], true, '[\n  {\n    "id": "a",\n    "n": "1"\n  }\n]\n', ""],
  [[], true, "[]\n", ""],
  [[["a", "1"]], false, "id  n\na   1\n", ""],
  [[], false, "", "None.\n"],
])(
  "a listing of %j with --json %s is on stdout, and the word for none beside it",
  (rows, isJson, out, prose) => {
    const written = { out: "", prose: "" };
    const spies = [
      vi.spyOn(process.stdout, "write").mockImplementation((text) => {
        written.out += String(text);
        return true;
      }),
      vi.spyOn(process.stderr, "write").mockImplementation((text) => {
        written.prose += String(text);
        return true;
      }),
    ];
    printListing(["id", "n"], rows, { isJson, empty: "None." });
    for (const spy of spies) spy.mockRestore();
    expect(written).toEqual({ out, prose });
  },
);
