import { describe, expect, it } from "vitest";
import { UsageError } from "../command.ts";
import { optionLines, readWords, type Words } from "./action.ts";
import { makeCommand } from "./make-command.ts";

const words = {
  help: "Usage: idem lamp ID",
  options: {
    room: { type: "string", needed: "Name the room: --room NAME", says: "where it stands" },
    watts: {
      type: "string",
      default: "40",
      read: (text: string): number => {
        if (/^\d+$/.test(text)) return Number(text);
        throw new UsageError("Set --watts to a number");
      },
      says: "its power,\nas a number",
    },
    dim: { type: "boolean" },
    label: { type: "string", multiple: true, label: "--label A=B", says: "a label" },
  },
  takes: "Name one lamp: idem lamp ID",
} as const satisfies Words;

describe("the words of a command", () => {
  it("are its values and its one word", () => {
    expect(readWords(words, ["--room", "hall", "7", "--label", "a=1", "--label", "b=2"])).toEqual([
      { room: "hall", watts: 40, dim: false, label: ["a=1", "b=2"] },
      "7",
    ]);
  });

  it.each([
    [["7"], "Name the room: --room NAME"],
    [["--room", "hall"], "Name one lamp: idem lamp ID"],
    [["--room", "hall", "7", "8"], "Name one lamp: idem lamp ID"],
    [["--room", "hall", "7", "--watts", "many"], "Set --watts to a number"],
    [["--rom", "hall", "7"], "Unknown option --rom. Did you mean --room?"],
  ])("are refused in a sentence: %j", (args, sentence) => {
    expect(() => readWords(words, args)).toThrow(UsageError);
    expect(() => readWords(words, args)).toThrow(sentence);
  });

  it("are listed in the help in one column, without those that only the usage names", () => {
    expect(optionLines(words.options)).toBe(
      `  --room       where it stands
  --watts      its power,
               as a number
  --label A=B  a label`,
    );
  });
});

describe("a command with topics", () => {
  const lamps = makeCommand(
    "lamps",
    { help: "Usage: idem lamps switch | count", topics: { switch: words, count: { options: {} } } } as const,
    {
      switch:
        async () =>
        async ({ watts, dim }, id) =>
          id === "7" && dim ? watts : 0,
      count: async () => async () => 3,
    },
  );

  it("runs the work of its topic with the values that it read", async () => {
    const topic = await lamps.topics!["switch"]!();
    expect(await topic.run(["--room", "hall", "--dim", "7"])).toBe(40);
    expect(topic.help).toBe(words.help);
  });

  it("gives its help to a topic without one", async () => {
    expect((await lamps.topics!["count"]!()).help).toBe(lamps.help);
  });

  it("names its topics where none is given, and the nearest to an unknown one", async () => {
    await expect(lamps.run([])).rejects.toThrow("Name an action: idem lamps switch | count");
    await expect(lamps.run(["swich"])).rejects.toThrow('Unknown action "swich". Did you mean switch?');
  });
});
