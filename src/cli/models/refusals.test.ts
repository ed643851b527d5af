import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { UsageError } from "../command.ts";
import { models } from "./models.command.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-models-"));
  vi.stubEnv("IDEM_DATA", join(folder, "data"));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const refusalOf = async (args: readonly string[]): Promise<unknown> =>
  await models.run(args).then(
    (code) => `ended with ${code}`,
    (error: unknown) => error,
  );

describe("idem models", () => {
  it.each([
    [[], /Name an action: idem models list \| fetch/],
    [["fetch"], /Name the model/],
    [["add"], /Name the file/],
    [["use"], /Use: idem models/],
    [["use", "a", "--none", "liveness"], /Use: idem models/],
    [["fetch", "minifasnet", "--url", "https://example.com/"], /one by one/],
    [["list", "--jsn"], /--jsn/],
  ])("explains the wrong usage %j", async (args, message) => {
    const refusal = await refusalOf(args);
    expect(refusal).toBeInstanceOf(UsageError);
    expect(refusal).toMatchObject({ message: expect.stringMatching(message) });
  });

  it.each([
    [["use", "nothing"], /nothing is not installed/],
    [["use", "blazeface"], /blazeface is bundled: it works as face-detector/],
    [["use", "minifasnet"], /known, not installed. First: idem models fetch minifasnet/],
    [["use", "--none", "ears"], /There is no slot ears: face-detector, face-recogniser, liveness/],
    [["fetch", "nothing"], /The catalogue knows no nothing/],
    [["add", "--file", "/nowhere.onnx"], /\/nowhere.onnx cannot be read \(ENOENT\)/],
  ])("says what is wrong with %j, as an error that is shown without a stack", async (args, message) => {
    const refusal = await refusalOf(args);
    expect(refusal).not.toBeInstanceOf(UsageError);
    expect(refusal).toMatchObject({
      name: expect.stringMatching(/^(CommandError|ModelRefused)$/),
      message: expect.stringMatching(message),
    });
  });
});
