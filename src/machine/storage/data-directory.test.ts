import { expect, it } from "vitest";
import { ownerRemedy } from "./data-directory.ts";

const users = "root:x:0:0:root:/root:/bin/bash\nidem:x:998:998::/var/lib/idem:/usr/sbin/nologin\n";

it.each([
  ["another user, for root", 998, 0, "Run this as its user, idem."],
  ["another user, for a user", 998, 1000, "Run this as its user, idem."],
  ["an id that no user has", 99, 0, "Run: chown -R 0 '/data'"],
  ["root", 0, 998, "Run: chown -R 998 '/data'"],
])("a data directory of %s gets the remedy that keeps its service running", (_, owner, own, remedy) => {
  expect(ownerRemedy("/data", { owner, own, users })).toBe(remedy);
});

it("without a list of users the owner is unknown", () => {
  expect(ownerRemedy("/data", { owner: 998, own: 0, users: "" })).toBe("Run: chown -R 0 '/data'");
});
