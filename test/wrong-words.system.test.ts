import { describe, expect, it } from "vitest";
import { runIdem } from "./harness/run-idem.ts";

describe("a mistyped word after a command", () => {
  it.each([
    [["measure", "face"], 'Unknown subject "face". Did you mean faces?'],
    [["train", "livenes"], 'Unknown subject "livenes". Did you mean liveness?'],
    [["pep", "imports"], 'Unknown action "imports". Did you mean import?'],
    [["cohort", "bild"], 'Unknown action "bild". Did you mean build?'],
  ])("is answered with the nearest one: idem %j", async (words, message) => {
    const { code, stdout, stderr } = await runIdem(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});
