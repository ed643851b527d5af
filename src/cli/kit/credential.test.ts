import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readCredential } from "./credential.ts";

const stdin = (text: string) => Readable.from([Buffer.from(text)]);

describe("the credential of a destination", () => {
  it.each(["s3cret", "s3cret\n", "s3cret\r\n"])(
    "is read from stdin without its line end: %j",
    async (text) => {
      expect(await readCredential(stdin(text), {}, undefined)).toBe("s3cret");
    },
  );

  it("is read from the named environment variable, and stdin is left alone", async () => {
    expect(await readCredential(stdin("other"), { HOOK_SECRET: "s3cret" }, "HOOK_SECRET")).toBe("s3cret");
    await expect(readCredential(stdin("other"), {}, "HOOK_SECRET")).rejects.toThrow("HOOK_SECRET");
  });

  it.each([
    ["nothing", "", "Stdin holds no key"],
    ["a whole file", "canary".repeat(2000), "more than one key"],
  ])("is refused without its text: %s", async (_name, text, reason) => {
    const refusal = await readCredential(stdin(text), {}, undefined).catch((error: Error) => error.message);
    expect(refusal).toContain(reason);
    expect(refusal).not.toContain("canary");
  });

  it("is not asked for on a terminal", async () => {
    const terminal = Object.assign(stdin("s3cret"), { isTTY: true });
    await expect(readCredential(terminal, {}, undefined)).rejects.toThrow("stdin");
  });
});
