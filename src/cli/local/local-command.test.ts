import { expect, it } from "vitest";
import { type Command, UsageError } from "../command.ts";
import { compare } from "./compare.command.ts";
import { liveness } from "./liveness.command.ts";
import { read } from "./read.command.ts";
import { verify } from "./verify.command.ts";

it.each<[string, Command, readonly string[], string]>([
  ["compare", compare, ["a.jpg"], "Name 2 images: idem compare IMAGE_A IMAGE_B"],
  ["compare", compare, ["a", "b", "c"], "Name 2 images"],
  ["liveness", liveness, [], "Name one image: idem liveness PATH"],
  ["verify", verify, ["--selfie", "a"], "idem verify --selfie IMAGE --document IMAGE"],
  ["verify", verify, ["--selfi", "a"], "Unknown option --selfi. Did you mean --selfie?"],
  ["verify", verify, ["--selfie", "a", "--document", "b", "--country", "chl"], "three letters in upper case"],
  ["verify", verify, ["--selfie", "a", "--document", "b", "--type", "IDCARD"], "Did you mean ID_CARD?"],
  ["read", read, ["--list", "a.csv"], "Name the file of the answers: --out CSV"],
  ["read", read, ["a", "--out", "b"], "--out goes with --list"],
  ["read", read, ["--list", "a", "--out", "b", "--back", "c"], "--back does not go with --list"],
  ["read", read, ["a.jpg", "--html", "./a.jpg"], "--html a.jpg is a file of this call"],
  ["read", read, ["--list", "a", "--out", "b", "--html", "b"], "--html b is a file of this call"],
])("idem %s refuses wrong usage before it opens anything: %#", async (_, command, args, message) => {
  const refusal = command.run(args);
  await expect(refusal).rejects.toThrow(UsageError);
  await expect(refusal).rejects.toThrow(message);
});

it("a check that could not be made ends with another code than a negative one", async () => {
  expect(compare.failedCode).toBe(3);
  await expect(compare.run(["/none/a.jpg", "/none/b.jpg"])).rejects.toThrow(
    "/none/a.jpg cannot be read (ENOENT)",
  );
});
