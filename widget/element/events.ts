import type { CaptureLanguage, GuidanceCode } from "#contract/guidance";
import type { StepName } from "../session/page-state.ts";

/** The events of the elements, each with a flat detail. */
export type CaptureEvents = {
  readonly "idem-ready": {
    readonly steps: string;
    /** The language of the session, and those that it offers, with spaces. */
    readonly language: CaptureLanguage;
    readonly languages: string;
  };
  readonly "idem-permission": { readonly state: "granted" | "denied" | "unavailable" };
  readonly "idem-guidance": { readonly code: GuidanceCode | "ready"; readonly step: StepName };
  readonly "idem-captured": {
    readonly step: StepName;
    readonly source: "camera" | "upload";
    readonly bytes: number;
    /** Sharpness of the guidance, 0 to 1; 0 for a file. */
    readonly quality: number;
  };
  readonly "idem-retry": { readonly step: StepName; readonly guidance: string; readonly triesLeft: number };
  readonly "idem-timeout": { readonly step: StepName };
  readonly "idem-extend": { readonly step: StepName };
  readonly "idem-cancel": { readonly reason: "button" | "consent" };
  readonly "idem-error": { readonly code: string };
  readonly "idem-finished": { readonly sessionId: string; readonly state: "completed" | "failed" };
};

export type CaptureEventName = keyof CaptureEvents;

/** A name of the other vendor's elements, and the detail that stands in `event.detail.detail` there. */
export type FacePhiEvent = { readonly name: string; readonly detail: unknown };

const names: Readonly<Record<CaptureEventName, readonly string[]>> = {
  "idem-ready": ["moduleLoaded"],
  "idem-permission": [],
  "idem-guidance": ["trackStatus"],
  "idem-captured": ["extractionFinish"],
  "idem-retry": ["exceptionCaptured"],
  "idem-timeout": ["extractionTimeout", "errorTimeout"],
  "idem-extend": ["timeoutErrorButtonClick"],
  "idem-cancel": ["userCancel"],
  "idem-error": ["exceptionCaptured", "emitError"],
  "idem-finished": ["emitData"],
};

/** The events of the other vendor that stand for one of ours. `hold_still` is its `stabilizing` too. */
export const facePhiEventsOf = <Name extends CaptureEventName>(
  name: Name,
  detail: CaptureEvents[Name],
): readonly FacePhiEvent[] => {
  const steadies = "code" in detail && (detail.code === "hold_still" || detail.code === "ready");
  return [...names[name], ...(name === "idem-guidance" && steadies ? ["stabilizing"] : [])].map((other) => ({
    name: other,
    detail,
  }));
};

/** Sends an event from an element through all shadow roots. */
export type Emit = <Name extends CaptureEventName>(name: Name, detail: CaptureEvents[Name]) => void;

export const makeEmit =
  (target: EventTarget, speaksFacePhi: () => boolean): Emit =>
  (name, detail) => {
    target.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    if (!speaksFacePhi()) return;
    for (const other of facePhiEventsOf(name, detail)) {
      const nested = { detail: { detail: other.detail }, bubbles: true, composed: true };
      target.dispatchEvent(new CustomEvent(other.name, nested));
    }
  };
