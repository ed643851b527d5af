import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { makeApiKey } from "#contract/api-key";
import { readImportedKey } from "./imported-key.ts";

const read = (text: string | readonly Buffer[], environment: "live" | "test" = "live") =>
  readImportedKey(Readable.from(typeof text === "string" ? [Buffer.from(text)] : text), environment);

const strong = "Zk3vQ8xLm2NpR7tWb5YdCa";

describe("an imported key", () => {
  it.each([strong, `${strong}\n`, `${strong}\r\n`])("is read without its line end: %j", async (text) => {
    expect(await read(text)).toBe(strong);
  });

  it("may arrive in parts", async () => {
    expect(await read([Buffer.from(strong.slice(0, 5)), Buffer.from(strong.slice(5))])).toBe(strong);
  });

  it.each([
    ["nothing", "", "no key"],
    ["a key that can be guessed", strong.slice(0, -1), "at most 125 random bits"],
    ["two lines", `${strong}\n${strong}\n`, "one line"],
    ["a space", `${strong} x`, "one line"],
    ["another script", `${strong}ñ`, "one line"],
    ["too many characters", `${strong}${"x9".repeat(400)}`, "one line"],
    ["a mistyped key of Idem", `${makeApiKey("live").slice(0, -1)}!`, "checksum"],
    ["a key of the other environment", makeApiKey("test"), "other environment"],
  ])("is refused without its text: %s", async (_, text, reason) => {
    const refusal = await read(text).catch((error: Error) => error.message);
    expect(refusal).toContain(reason);
    expect(refusal).not.toContain(strong.slice(0, 8));
  });

  it("of another deployment of Idem keeps its environment", async () => {
    const key = makeApiKey("test");
    expect(await read(key, "test")).toBe(key);
  });

  it("is not asked for on a terminal", async () => {
    const terminal = Object.assign(Readable.from([strong]), { isTTY: true });
    await expect(readImportedKey(terminal, "live")).rejects.toThrow("stdin");
  });
});
