import { expect, it } from "vitest";
import { makeJudgeTestReceiver } from "./judge-test-receiver.ts";

const judge = makeJudgeTestReceiver(["hooks.example.com", "127.0.0.1", "::1"]);

it.each([
  "https://hooks.example.com/idem?a=b",
  "https://HOOKS.example.com.:8443/",
  "http://127.0.0.1:4000/",
  "http://[::1]:4000/",
])("lets a test key reach %s, whose host is listed", (url) => {
  expect(judge(url, "test")).toBeUndefined();
});

it.each([
  ["https://hooks.example.com.evil.example/", "hooks.example.com.evil.example"],
  ["https://a.hooks.example.com/", "a.hooks.example.com"],
  ["https://evil.example/?hooks.example.com", "evil.example"],
  ["https://hooks.example.com@evil.example/", "evil.example"],
  ["http://127.0.0.2/", "127.0.0.2"],
])("keeps a test key from %s", (url, host) => {
  expect(judge(url, "test")).toBe(`IDEM_TEST_RECEIVERS does not name ${host}, so no test key reaches it`);
});

it("keeps a test key from what is no URL", () => {
  expect(judge("hooks.example.com", "test")).toContain("IDEM_TEST_RECEIVERS");
});

it("limits neither live keys, nor test keys where no list is set", () => {
  expect(judge("https://evil.example/", "live")).toBeUndefined();
  expect(judge("https://evil.example/")).toBeUndefined();
  expect(makeJudgeTestReceiver(undefined)("https://evil.example/", "test")).toBeUndefined();
});
