import { type CaptureLanguage, captureLanguages, chooseLanguage } from "#contract/guidance";
import type { StepName } from "../session/page-state.ts";

/** The options of an element, read from its attributes; docs/guides/integrate/capture.md has the table. */
export type Options = {
  readonly session: string;
  /** Origin of the service, without a path. */
  readonly service: string;
  readonly steps: readonly StepName[];
  readonly languages: readonly string[];
  readonly captures: "on" | "off";
  readonly manualAfterMs: number;
  readonly upload: "never" | "fallback" | "always";
  readonly handoff: "auto" | "never" | "force";
  /** 0: no time-out. */
  readonly timeoutMs: number;
  readonly retriesMax: number;
  readonly hasPreview: boolean;
  readonly speaksFacePhi: boolean;
  /** Way to a person or an office, as the operator words it. */
  readonly humanText: string | undefined;
};

type Read = (name: string) => string | null;

const oneOf = <Name extends string>(names: readonly Name[], text: string | null, otherwise: Name): Name =>
  names.find((name) => name === text) ?? otherwise;

const numberOf = (text: string | null, otherwise: number, most: number): number => {
  const value = Number(text);
  return text !== null && text.trim() !== "" && Number.isFinite(value) && value >= 0
    ? Math.min(value, most)
    : otherwise;
};

const stepsOf = (text: string | null, offered: readonly StepName[]): readonly StepName[] => {
  const words = (text ?? "").split(/[\s,]+/);
  const named = offered.filter((step) => words.includes(step));
  return named.length === 0 ? offered : named;
};

const hour = 3_600_000;

/** `offered` are the steps that this kind of element can do, `service` the origin of its file. */
export const readOptions = (
  read: Read,
  offered: readonly StepName[],
  service: string,
  languages: readonly string[],
): Options => ({
  session: read("session") ?? "",
  service: (read("service") ?? service).replace(/\/+$/, ""),
  steps: stepsOf(read("steps"), offered),
  languages: [read("language") ?? "", ...languages].filter((language) => language !== ""),
  captures: oneOf(["on", "off"], read("auto-capture"), "on"),
  manualAfterMs: numberOf(read("manual-after-ms"), 10_000, hour),
  upload: oneOf(["never", "fallback", "always"], read("upload"), "fallback"),
  handoff: oneOf(["auto", "never", "force"], read("handoff"), "auto"),
  timeoutMs: numberOf(read("timeout-ms"), 0, hour),
  retriesMax: numberOf(read("retries-max"), 10, 100),
  hasPreview: read("preview") !== "off",
  speaksFacePhi: read("compatibility") === "facephi",
  humanText: read("human-text") ?? undefined,
});

/** Attributes whose change starts the element anew. */
export const observedAttributes = ["session", "service", "language", "steps"] as const;

/** The language of the texts: the wish of the element, then the session's, then the browser's. */
export const languageOf = (
  options: Pick<Options, "languages">,
  session: CaptureLanguage | undefined,
  hasOwnWish: boolean,
): CaptureLanguage => {
  const wishes = session === undefined ? options.languages : [session];
  return chooseLanguage(hasOwnWish ? options.languages : wishes, captureLanguages);
};
