import { describe, expect, it } from "vitest";
import { needsCredential, type SettingValues, wishOf } from "./wish.ts";

describe("the settings of a destination on the command line", () => {
  it("are those that are named, and no other", () => {
    expect(wishOf({}, undefined)).toEqual({});
    const values = {
      name: "Receiver",
      url: "https://hooks.example.com",
      topics: "workflows/*/v1, *",
      order: "on",
      header: ["x-a=1", "x-b=a=b"],
      handshake: "off",
      timeout: "10",
      retry: "0, 5,300",
      concurrent: "0",
    };
    expect(wishOf(values, undefined)).toEqual({
      name: "Receiver",
      url: "https://hooks.example.com",
      topics: ["workflows/*/v1", "*"],
      isOrdered: true,
      headers: [
        { name: "x-a", value: "1" },
        { name: "x-b", value: "a=b" },
      ],
      handshake: false,
      timeoutSeconds: 10,
      retrySchedule: [0, 5, 300],
      maxConcurrent: 0,
    });
    expect(wishOf({ retry: "default", "no-headers": true, "no-auth": true }, undefined)).toEqual({
      retrySchedule: [],
      headers: [],
      auth: { kind: "none" },
    });
  });

  it("join the credential, which is asked for where they need one", () => {
    const key: SettingValues = { "api-key-header": "x-key" };
    const oauth: SettingValues = {
      "token-url": "https://a.example",
      "client-id": "me",
      "credentials-in": "body",
    };
    expect([key, oauth, {}].map(needsCredential)).toEqual([true, true, false]);
    expect(wishOf(key, "k").auth).toEqual({ kind: "api-key", header: "x-key", value: "k" });
    expect(wishOf(oauth, "s").auth).toEqual({
      kind: "oauth2",
      tokenUrl: "https://a.example",
      clientId: "me",
      clientSecret: "s",
      credentialsIn: "body",
    });
  });

  it.each<readonly [SettingValues, string]>([
    [{ order: "yes" }, 'Set --order to on or off, not to "yes"'],
    [{ timeout: "10s" }, 'Set --timeout to a whole number, not to "10s"'],
    [{ retry: "0,x" }, 'Set --retry to a whole number, not to "x"'],
    [{ header: ["x-a"] }, "NAME=VALUE"],
    [{ header: ["x=1"], "no-headers": true }, "not both"],
    [{ "api-key-header": "x", "no-auth": true }, "one of --api-key-header"],
    [{ scope: "a" }, "--scope belongs to --token-url"],
    [{ "token-url": "x", "credentials-in": "query" }, 'header or body, not to "query"'],
  ])("are refused with the option: %j", (values, expected) => {
    expect(() => wishOf(values, "s")).toThrow(expected);
  });
});
