import { describe, expect, it } from "vitest";
import type { PageState } from "../session/page-state.ts";
import { type Device, type WayOptions, waysFor } from "./ways.ts";

const page: PageState = {
  sessionId: "s",
  state: "OPEN",
  expiresAt: "",
  language: "es",
  languages: ["es"],
  consent: { version: "1", text: "", accepted: true },
  level: "passive",
  steps: [{ name: "face", state: "open", triesLeft: 3 }],
  isTest: false,
};
const face = { step: "face" } as const;
const document = { step: "document", side: "front" } as const;
const computer: Device = { isTelephone: false, hasAskedPhone: false };
const usual: WayOptions = { upload: "fallback", handoff: "auto" };

describe("the ways to an image", () => {
  it("are the camera first, then the telephone and a file", () => {
    expect(waysFor(face, page, usual, computer)).toEqual({ camera: true, file: "fallback", phone: true });
    expect(waysFor(face, page, { upload: "never", handoff: "never" }, computer)).toEqual({
      camera: true,
      file: "never",
      phone: false,
    });
  });

  it("offer no file for turns of the head, and offer it for the document of the same session", () => {
    const active = { ...page, level: "active-turn" } as const;
    const always = { ...usual, upload: "always" } as const;
    expect(waysFor(face, active, always, computer).file).toBe("never");
    expect(waysFor(document, active, always, computer).file).toBe("always");
    expect(waysFor(face, page, always, computer).file).toBe("always");
  });

  it("force a computer to the telephone, which keeps its own camera and is handed to no other", () => {
    const forced = { ...usual, handoff: "force" } as const;
    expect(waysFor(face, page, forced, computer)).toMatchObject({ camera: false, phone: true });
    expect(waysFor(face, page, forced, { ...computer, isTelephone: true }).camera).toBe(true);
    const confirmed = { ...page, handoff: { code: "4821", state: "confirmed" } };
    expect(waysFor(face, confirmed, forced, computer)).toMatchObject({ camera: true, phone: false });
    const asked = { ...computer, hasAskedPhone: true };
    expect(waysFor(face, confirmed, forced, asked)).toMatchObject({ camera: false, phone: true });
  });
});
