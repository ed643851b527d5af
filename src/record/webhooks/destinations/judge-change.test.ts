import { describe, expect, it } from "vitest";
import { changeOf, type OpenedDestination } from "./judge-change.ts";
import type { WishedDestination } from "./judge-destination.ts";

const at = new Date(1_790_000_000_000);
const url = "https://example.org/hook";

const opened = (
  stored: Partial<OpenedDestination["stored"]> = {},
  settings: Partial<OpenedDestination["settings"]> = {},
): OpenedDestination => ({
  stored: {
    tenantId: "tenant",
    environment: "test",
    id: "destination",
    name: "Recepción",
    state: "active",
    topics: ["*"],
    isOrdered: false,
    sealedSettings: new Uint8Array(),
    revision: 1,
    createdAt: at,
    changedAt: at,
    ...stored,
  },
  settings: {
    url,
    headers: {},
    auth: { kind: "none" },
    handshake: false,
    timeoutMs: 1_000,
    secret: "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    formerSecrets: [],
    ...settings,
  },
});

const change = (wish: WishedDestination, of = opened()) => changeOf(() => undefined, of, wish);

describe("a change of a destination", () => {
  it.each([
    ["another URL", { url: "https://example.org/another" }, true],
    ["another URL and more", { url: "https://example.com/hook", name: "Otra" }, true],
    ["the same URL", { url }, undefined],
    ["another name", { name: "Otra" }, undefined],
    ["other topics", { topics: ["*"] }, undefined],
    ["other headers", { headers: [{ name: "x-one", value: "1" }] }, undefined],
    ["no field", {}, undefined],
  ] as const)("to %s forgets the failures of a former receiver alone", (_, wish, forgets) => {
    expect(change(wish).forgetsFailures).toBe(forgets);
  });

  it("of the URL leaves a disabled or paused destination in its state, and forgets its failures", () => {
    const states = [
      { state: "disabled", stateReason: "gone" },
      { state: "paused", stateReason: "operator" },
    ] as const;
    for (const stored of states) {
      const changed = change({ url: "https://example.org/another" }, opened(stored));
      expect([changed.forgetsFailures, changed.state]).toEqual([true, undefined]);
    }
  });
});
