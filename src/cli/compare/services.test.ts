import { expect, it } from "vitest";
import { withTyped } from "./services.ts";

it.each([
  ["http://127.0.0.1:8080", ["127.0.0.1"]],
  ["http://[::1]:8080/v1", ["::1"]],
  ["https://10.1.2.3", ["10.1.2.3"]],
  ["http://localhost:8080", ["127.0.0.0/8", "::1"]],
  ["https://intranet.example", []],
])("opens the address that the operator typed, and no name: %s", (url, allow) => {
  expect(withTyped({ allow: ["192.168.7.0/24"] }, url)).toEqual({ allow: ["192.168.7.0/24", ...allow] });
});
