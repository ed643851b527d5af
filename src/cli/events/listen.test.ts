import { describe, expect, it } from "vitest";
import { UsageError } from "../command.ts";
import { commands } from "../commands.ts";

const listen = await commands["listen"]!.load();

describe("idem listen", () => {
  it.each([
    [[], "Name the receiver"],
    [["--forward", "https://127.0.0.1:3000/"], "Use an http address on this machine"],
    [["--forward", "http://example.org/hook"], "Use an http address on this machine"],
    [["--forward", "127.0.0.1:3000"], "Use an http address on this machine"],
    [["--forward", "http://user:canary@127.0.0.1:3000/"], "holds a user name or a password"],
  ])("refuses a receiver before it calls the service: %j", async (args, message) => {
    const refused = listen.run(args);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow("canary");
  });
});
