import { expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { imageHashesOf, judgePerson } from "./judge-person.ts";

const none = { identityImages: [], documentFront: undefined, faces: { missing: "no image" } } as const;

it.each([
  ["an equal image", { identityImages: ["b", "a"], documentFront: "a" }, "image"],
  [
    "an equal image beside other faces",
    { identityImages: ["a"], documentFront: "a", faces: "other" },
    "image",
  ],
  ["equal faces", { faces: "same" }, "faces"],
  ["equal faces of different images", { identityImages: ["a"], documentFront: "b", faces: "same" }, "faces"],
] as const)("%s shows one person", (_, change, by) => {
  expect(judgePerson({ ...none, ...change })).toBe(by);
});

it.each([
  ["other faces", { faces: "other" }, "clearing_other_person"],
  ["faces that cannot be compared", { faces: "unknown" }, "clearing_person_unproven"],
  ["no image at all", {}, "clearing_person_unproven"],
  ["a different image alone", { identityImages: ["a"], documentFront: "b" }, "clearing_person_unproven"],
] as const)("%s are refused", (_, change, code) => {
  const judged = judgePerson({ ...none, ...change });
  expect(judged instanceof Failure && judged.code).toBe(code);
});

it("reads the hashes of a record, and none where it has none", () => {
  expect(imageHashesOf({ imageHashes: ["a", 1, "b"] })).toEqual(["a", "b"]);
  for (const other of [null, [], { imageHashes: "a" }, {}]) expect(imageHashesOf(other)).toEqual([]);
});
