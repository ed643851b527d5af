import { randomBytes, randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { openBox, sealBox } from "./sealed-box.ts";

const plain = new TextEncoder().encode("content");

it.each([
  ["of a data key", randomUUID().replaceAll("-", "")],
  ["of a master key", randomBytes(8).toString("hex")],
])("a box with a name %s opens as it was sealed, and not after a change of any bit", (_, id) => {
  const key = { id, bytes: new Uint8Array(randomBytes(32)) };
  const sealed = sealBox(key, ["row"], plain);
  expect(openBox(key, ["row"], sealed)).toStrictEqual(plain);
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const at = bit >> 3;
    const changed = sealed.with(at, sealed[at]! ^ (1 << (bit & 7)));
    expect(() => openBox(key, ["row"], changed), `bit ${bit}`).toThrow();
  }
});
