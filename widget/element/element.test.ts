import { describe, expect, it } from "vitest";
import { textsIn } from "../view/texts.ts";
import { facePhiEventsOf, makeEmit } from "./events.ts";
import { languageOf, readOptions } from "./options.ts";

const read = (attributes: Readonly<Record<string, string>>) => (name: string) => attributes[name] ?? null;
const both = ["face", "document"] as const;
const options = (
  attributes: Readonly<Record<string, string>>,
  offered: readonly ("face" | "document")[] = both,
) => readOptions(read(attributes), offered, "https://idem.example", ["fr", "pt-PT"]);

describe("options", () => {
  it("have defaults, and unknown values are the default", () => {
    expect(options({})).toEqual(
      options({
        upload: "sometimes",
        preview: "",
        "manual-after-ms": "-1",
        "timeout-ms": "soon",
        steps: "hand",
      }),
    );
    expect(options({})).toMatchObject({
      service: "https://idem.example",
      captures: "on",
      manualAfterMs: 10_000,
      upload: "fallback",
      handoff: "auto",
      timeoutMs: 0,
      hasPreview: true,
      speaksFacePhi: false,
    });
  });

  it("keep to the steps that the element can do", () => {
    expect(options({ steps: "document" }).steps).toEqual(["document"]);
    expect(options({ steps: "document" }, ["face"]).steps).toEqual(["face"]);
    expect(options({ steps: "document, face" }).steps).toEqual(["face", "document"]);
  });

  it("choose the language of the element, else of the session, else of the browser", () => {
    expect(languageOf(options({ language: "en-GB" }), "es", true)).toBe("en");
    expect(languageOf(options({}), "es", false)).toBe("es");
    expect(languageOf(options({}), undefined, false)).toBe("pt-BR");
  });
});

describe("texts", () => {
  it("are those of the integrator where given, with values in their places", () => {
    const texts = textsIn("es", { "button.shutter": "Sacar foto" });
    expect(texts.button("shutter")).toBe("Sacar foto");
    expect(texts.button("cancel")).toBe("Cancelar");
    expect(texts.label("step", { at: 1, count: 2 })).toBe("Paso 1 de 2");
    expect(texts.problem("of_the_future")).toBe(texts.problem("unexpected"));
  });
});

describe("events", () => {
  it("go out flat, and under the other vendor's names where asked", () => {
    const target = new EventTarget();
    const seen: [string, unknown][] = [];
    for (const name of ["idem-guidance", "trackStatus", "stabilizing"]) {
      target.addEventListener(name, (event) =>
        seen.push([name, event instanceof CustomEvent ? event.detail : undefined]),
      );
    }
    makeEmit(target, () => false)("idem-guidance", { code: "closer", step: "face" });
    expect(seen).toEqual([["idem-guidance", { code: "closer", step: "face" }]]);
    makeEmit(target, () => true)("idem-guidance", { code: "hold_still", step: "face" });
    const detail = { code: "hold_still", step: "face" };
    expect(seen.slice(1)).toEqual([
      ["idem-guidance", detail],
      ["trackStatus", { detail }],
      ["stabilizing", { detail }],
    ]);
  });

  it("cover the nine names and both of the provider", () => {
    const names = [
      facePhiEventsOf("idem-ready", { steps: "face", language: "es", languages: "es en" }),
      facePhiEventsOf("idem-captured", { step: "face", source: "camera", bytes: 1, quality: 1 }),
      facePhiEventsOf("idem-timeout", { step: "face" }),
      facePhiEventsOf("idem-extend", { step: "face" }),
      facePhiEventsOf("idem-cancel", { reason: "button" }),
      facePhiEventsOf("idem-error", { code: "camera_denied" }),
      facePhiEventsOf("idem-guidance", { code: "ready", step: "face" }),
      facePhiEventsOf("idem-finished", { sessionId: "s", state: "completed" }),
    ]
      .flat()
      .map(({ name }) => name);
    expect(names.toSorted()).toEqual([
      "emitData",
      "emitError",
      "errorTimeout",
      "exceptionCaptured",
      "extractionFinish",
      "extractionTimeout",
      "moduleLoaded",
      "stabilizing",
      "timeoutErrorButtonClick",
      "trackStatus",
      "userCancel",
    ]);
  });
});
