import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeJudgeUrl } from "#machine/egress/make-egress";
import { judgeDestination, missingFields, type WishedDestination } from "./judge-destination.ts";

const judgeUrl = makeJudgeUrl({ allow: [] });
const faultsOf = (wish: WishedDestination): readonly string[] =>
  judgeDestination(wish, judgeUrl).map(({ field, message }) => `${field}: ${message}`);

const accepted: WishedDestination = {
  name: "Verificación, 本番",
  url: "https://hooks.example.com/idem?tenant=1",
  topics: ["workflows/id-captured/v1", "workflows/*/v1", "*"],
  isOrdered: true,
  headers: [{ name: "X-Source", value: "idem and more" }],
  auth: { kind: "api-key", header: "authorization", value: "Bearer x" },
  handshake: true,
  timeoutSeconds: 30,
  retrySchedule: [0, 5, 172_800],
  maxConcurrent: 64,
};

describe("a destination", () => {
  it("is accepted with every field, and with any credentials", () => {
    expect(faultsOf(accepted)).toEqual([]);
    expect(faultsOf({ ...accepted, auth: { kind: "none" }, retrySchedule: [], maxConcurrent: 0 })).toEqual(
      [],
    );
    const oauth = {
      kind: "oauth2",
      tokenUrl: "https://login.example.com/token",
      clientId: "id with spaces",
      clientSecret: "s3cret",
      scope: "events:write openid",
    } as const;
    expect(faultsOf({ ...accepted, auth: oauth })).toEqual([]);
  });

  it("needs name, URL and topics", () => {
    expect(missingFields({ name: "", headers: [] }).map(({ field }) => field)).toEqual([
      "name",
      "url",
      "topics",
    ]);
    expect(missingFields(accepted)).toEqual([]);
  });

  it.each<readonly [WishedDestination, RegExp]>([
    [{ name: "a\nb" }, /^name: is "a\\nb"/],
    [{ name: "x".repeat(101) }, /^name: .* 1 to 100/],
    [{ name: "  " }, /^name/],
    [{ url: "http://hooks.example.com/" }, /^url: "http:\/\/hooks.example.com\/" is refused: .*https/],
    [
      { url: "https://user:canary@hooks.example.com/" },
      /^url: "https:\/\/hooks.example.com\/" is refused: .*password/,
    ],
    [{ url: "https://10.0.0.1/?key=canary" }, /^url: "https:\/\/10.0.0.1\/" is refused: .*IDEM_EGRESS_ALLOW/],
    [{ url: "https://hooks.example.com/#part" }, /^url: .*fragment/],
    [{ url: `https://hooks.example.com/${"x".repeat(2048)}` }, /^url: has 2074 characters, and at most 2048/],
    [{ url: "hooks.example.com" }, /^url: "hooks.example.com" is refused/],
    ...[" https://a.example", "https://a.example/ ", "https://a.ex\nample/", "https://a.example/\u200bx"].map(
      (url): [WishedDestination, RegExp] => [
        { url },
        /^url: ".*" is refused: The URL holds a space or a control character/,
      ],
    ),
    [{ topics: [] }, /^topics: is empty/],
    [
      { topics: ["workflows/id_captured/v1"] },
      /^topics\.0: "workflows\/id_captured\/v1" is no topic. Use one of workflows/,
    ],
    [{ topics: ["*", "workflows/*"] }, /^topics\.1: "workflows\/\*"/],
    [{ headers: [{ name: "a b", value: "x" }] }, /^headers\.0\.name: "a b" is no header name/],
    [
      { headers: [{ name: "Transfer-Encoding", value: "x" }] },
      /^headers\.0\.name: "Transfer-Encoding" belongs to the connection/,
    ],
    [{ headers: [{ name: "Host", value: "x" }] }, /belongs to the connection/],
    [{ headers: [{ name: "Webhook-Signature", value: "x" }] }, /is set by this service/],
    [{ headers: [{ name: "ce-id", value: "x" }] }, /is set by this service/],
    [{ headers: [{ name: "content-type", value: "x" }] }, /is set by this service/],
    [{ headers: [{ name: "authorization", value: "x" }] }, /stands in auth/],
    [
      {
        headers: [
          { name: "x", value: "1" },
          { name: "X", value: "2" },
        ],
      },
      /^headers\.1\.name: "X" is there twice/,
    ],
    [{ headers: [{ name: "x", value: "canary\r\ny: z" }] }, /^headers\.0\.value: has 12 characters/],
    [{ headers: [{ name: "x", value: "ñ" }] }, /^headers\.0\.value/],
    [
      { headers: Array.from({ length: 21 }, (_, n) => ({ name: `x-${n}`, value: "1" })) },
      /^headers: has 21 items, and at most 20/,
    ],
    [{ auth: { kind: "api-key", header: "x-key" } }, /^auth\.value: is required/],
    [{ auth: { kind: "none", value: "canary" } }, /^auth\.value: belongs to kind api-key, and kind is none/],
    [
      { auth: { kind: "api-key", header: "x-key", value: "v", clientSecret: "canary" } },
      /^auth\.clientSecret: belongs to kind oauth2, and kind is api-key/,
    ],
    [{ auth: { kind: "api-key", value: "canary" } }, /^auth\.header: is required/],
    [{ auth: { kind: "api-key", header: "host", value: "canary" } }, /^auth\.header: "host" belongs/],
    [
      { auth: { kind: "api-key", header: "x-source", value: "canary" }, headers: accepted.headers! },
      /^auth\.header: "x-source" is a custom header too/,
    ],
    [{ auth: { kind: "oauth2", tokenUrl: "http://10.0.0.1/" } }, /^auth\.tokenUrl: .*refused/],
    [
      { auth: { kind: "oauth2", tokenUrl: "https://a.example", clientId: "i", clientSecret: "canary\n" } },
      /^auth\.clientSecret: has 7 characters/,
    ],
    [
      {
        auth: {
          kind: "oauth2",
          tokenUrl: "https://a.example",
          clientId: "i",
          clientSecret: "s",
          scope: "a  b",
        },
      },
      /^auth\.scope: "a {2}b"/,
    ],
    [{ timeoutSeconds: 0 }, /^timeoutSeconds: is 0, .* 1 to 30/],
    [{ timeoutSeconds: 31 }, /^timeoutSeconds: is 31/],
    [{ timeoutSeconds: 1.5 }, /^timeoutSeconds: is 1.5/],
    [{ retrySchedule: [0, -1] }, /^retrySchedule\.1: is -1/],
    [{ retrySchedule: [172_801] }, /^retrySchedule\.0: is 172801/],
    [{ retrySchedule: Array.from({ length: 21 }, () => 1) }, /^retrySchedule: has 21 items/],
    [{ maxConcurrent: 65 }, /^maxConcurrent: is 65/],
    [{ maxConcurrent: -1 }, /^maxConcurrent: is -1/],
  ])("is refused with the field and its value: %j", (wish, expected) => {
    const [fault = ""] = faultsOf(wish);
    expect(fault).toMatch(expected);
    expect(fault).not.toContain("canary");
  });

  it("never has a header that breaks a message, whatever the caller sends", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (name, value) => {
        if (faultsOf({ headers: [{ name, value }] }).length > 0) return;
        expect(() => new Headers([[name, value]])).not.toThrow();
        expect(`${name}${value}`).not.toMatch(/[\r\n\0]/);
      }),
    );
  });
});
