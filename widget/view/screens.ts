import type { Screen, Source, Target } from "../flow/flow.ts";
import type { Ways } from "../flow/ways.ts";
import type { PageState } from "../session/page-state.ts";
import { make } from "./dom.ts";
import { drawQr } from "./qr.ts";
import type { Texts } from "./texts.ts";

/** What a person can do on a screen. */
export type Actions = Readonly<
  Record<
    | "agree"
    | "decline"
    | "openCamera"
    | "shutter"
    | "use"
    | "again"
    | "switchCamera"
    | "otherWay"
    | "usePhone"
    | "cancel"
    | "back"
    | "resume"
    | "takeOver"
    | "extend",
    () => void
  >
> & { readonly chooseFile: (file: File) => void };

export type View = {
  readonly texts: Texts;
  readonly actions: Actions;
  readonly page: PageState | undefined;
  readonly ways: (target: Target) => Ways;
  readonly isInApp: boolean;
  readonly humanText: string | undefined;
  /** Address of the kept image; of the preview alone. */
  readonly previewUrl: string | undefined;
  readonly handoff: { readonly url: string; readonly code: string } | undefined;
};

/** A heading and what stands under it. */
export type Content = { readonly heading: string; readonly nodes: readonly Node[] };

type ButtonName = Exclude<keyof Actions, "chooseFile">;

const button = ({ texts, actions }: View, name: ButtonName, isMain = false): HTMLElement =>
  make("button", {
    text: texts.button(name),
    attributes: { type: "button", "data-action": name },
    click: actions[name],
    ...(isMain && { class: "main" }),
  });

const row = (...buttons: readonly HTMLElement[]): HTMLElement => make("div", { class: "actions" }, buttons);
const paragraph = (text: string, className?: string): HTMLElement =>
  make("p", { text, ...(className !== undefined && { class: className }) });

/** The camera of the operating system, or a file. `capture` asks a telephone for the camera that fits. */
const fileButton = ({ texts, actions }: View, target: Target, isMain = false): HTMLElement => {
  const input = make("input", {
    attributes: {
      type: "file",
      accept: "image/jpeg,image/png,image/webp,image/avif",
      capture: target.step === "face" ? "user" : "environment",
      "data-action": "upload",
    },
  });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file !== undefined) actions.chooseFile(file);
  });
  const label = make("label", { class: isMain ? "file main" : "file", text: texts.button("upload") });
  label.append(input);
  return label;
};

const introHeading = ({ texts }: View, { step, side }: Target): string =>
  texts.heading(step === "face" ? "face" : (side ?? "front"));

const introText = ({ texts }: View, { step }: Target): string =>
  texts.paragraph(step === "face" ? "face" : "document");

const progressLine = (view: View, target: Target): readonly Node[] => {
  const steps = view.page?.steps ?? [];
  const at = steps.findIndex(({ name }) => name === target.step) + 1;
  return steps.length < 2 || at === 0
    ? []
    : [paragraph(view.texts.label("step", { at, count: steps.length }), "quiet")];
};

const intro = (view: View, target: Target): Content => {
  const { camera, file } = view.ways(target);
  return {
    heading: introHeading(view, target),
    nodes: [
      ...progressLine(view, target),
      paragraph(introText(view, target)),
      ...(target.step === "face" && view.page?.level === "active-turn"
        ? [paragraph(view.texts.paragraph("turn"))]
        : []),
      ...(view.isInApp ? [paragraph(view.texts.paragraph("inAppBrowser"), "problem")] : []),
      paragraph(view.texts.paragraph(camera ? "camera" : "phone"), "quiet"),
      row(
        button(view, camera ? "openCamera" : "usePhone", true),
        ...(file === "always" ? [fileButton(view, target)] : []),
        button(view, "otherWay"),
        button(view, "cancel"),
      ),
    ],
  };
};

/** Other ways, the easiest first, down to a person. */
const ladder = (view: View, target: Target): Content => {
  const { camera, file, phone } = view.ways(target);
  return {
    heading: view.texts.heading("ladder"),
    nodes: [
      paragraph(view.texts.paragraph("ladder")),
      row(
        ...(camera ? [button(view, "openCamera", true), button(view, "switchCamera")] : []),
        ...(phone ? [button(view, "usePhone", !camera)] : []),
        ...(file === "never" ? [] : [fileButton(view, target)]),
        button(view, "back"),
      ),
      paragraph(view.humanText ?? view.texts.paragraph("human"), "quiet"),
    ],
  };
};

const again = (view: View, screen: Extract<Screen, { at: "again" }>): Content => ({
  heading: view.texts.heading("again"),
  nodes: [
    make(
      "ul",
      {},
      screen.guidance.map((code) => make("li", { text: view.texts.guidance(code) })),
    ),
    ...(Number.isFinite(screen.triesLeft)
      ? [paragraph(view.texts.label("triesLeft", { count: screen.triesLeft }), "quiet")]
      : []),
    row(retry(view, screen.target, screen.source), button(view, "otherWay"), button(view, "cancel")),
  ],
});

const handoff = (view: View): Content => ({
  heading: view.texts.heading("handoff"),
  nodes: [
    paragraph(view.texts.paragraph("handoff")),
    ...(view.handoff === undefined
      ? []
      : [
          make("div", { class: "qr" }, [drawQr(view.handoff.url, view.texts.label("qr"))]),
          paragraph(view.texts.label("code"), "quiet label"),
          paragraph(view.handoff.code, "code"),
        ]),
    row(button(view, "back")),
  ],
});

/** On the telephone: the same code as on the other screen. */
const confirm = (view: View): Content => ({
  heading: view.texts.label("code"),
  nodes: [
    paragraph(view.texts.paragraph("confirm")),
    paragraph(view.page?.handoff?.code ?? "", "code"),
    row(button(view, "resume", true), button(view, "cancel")),
  ],
});

/** The way back to the integrator, where the session names one. */
const returnLink = ({ texts, page }: View): readonly Node[] => {
  if (page?.returnUrl === undefined) return [];
  const { href, host } = new URL(page.returnUrl);
  return [
    row(make("a", { class: "link main", text: texts.label("returnTo", { host }), attributes: { href } })),
  ];
};

/** Where a person may leave: with the way back to the integrator. */
const end = (view: View, heading: string, ...nodes: readonly Node[]): Content => ({
  heading,
  nodes: [...nodes, ...returnLink(view)],
});

/** Problems that no second try of this page mends. */
const finalProblems: ReadonlySet<string> = new Set([
  "capture_expired",
  "capture_ended",
  "capture_bound",
  "capture_origin_refused",
  "capture_uploads_exhausted",
  "unauthorized",
]);

type Problem = Extract<Screen, { at: "problem" }>;

const problem = (view: View, screen: Problem): Content =>
  finalProblems.has(screen.code)
    ? end(view, view.texts.heading("problem"), paragraph(view.texts.problem(screen.code), "problem"))
    : passingProblem(view, screen);

const passingProblem = (view: View, { code, target, source }: Problem): Content => ({
  heading: view.texts.heading("problem"),
  nodes: [
    paragraph(view.texts.problem(code), "problem"),
    ...(view.isInApp ? [paragraph(view.texts.paragraph("inAppBrowser"))] : []),
    target === undefined
      ? row(button(view, "resume", true))
      : row(retry(view, target, source), button(view, "otherWay"), button(view, "cancel")),
  ],
});

/** Another file where one was refused: a person who chose a file may have no camera. */
const retry = (view: View, target: Target, source: Source | undefined): HTMLElement =>
  source === "upload" ? fileButton(view, target, true) : button(view, "again", true);

const preview = (
  view: View,
  { target, source }: Extract<Screen, { at: "preview" | "sending" }>,
): Content => ({
  heading: view.texts.heading("preview"),
  nodes: [
    paragraph(view.texts.paragraph("preview")),
    make("img", {
      class: "preview",
      attributes: { src: view.previewUrl ?? "", alt: view.texts.label("preview") },
    }),
    row(
      button(view, "use", true),
      ...(source === "upload"
        ? [fileButton(view, target), button(view, "otherWay")]
        : [button(view, "again")]),
      button(view, "cancel"),
    ),
  ],
});

const consent = (view: View): Content => ({
  heading: view.texts.heading("consent"),
  nodes: [
    ...(view.page === undefined || view.page.consent.text === "" ? [] : [paragraph(view.page.consent.text)]),
    paragraph(view.texts.paragraph("consent"), "quiet"),
    row(button(view, "agree", true), button(view, "decline")),
  ],
});

/** A heading, one paragraph, and buttons. */
const plain = (heading: string, text: string, ...buttons: readonly HTMLElement[]): Content => ({
  heading,
  nodes: [...(text === "" ? [] : [paragraph(text)]), ...(buttons.length === 0 ? [] : [row(...buttons)])],
});

/** Screens of a heading, a paragraph and buttons. */
const plainScreens: Partial<Record<Screen["at"], (view: View) => Content>> = {
  loading: ({ texts }) => plain(texts.label("loading"), ""),
  open_in_other: (view) =>
    plain(
      view.texts.heading("problem"),
      view.texts.problem("capture_open_elsewhere"),
      button(view, "takeOver", true),
    ),
  declined: (view) =>
    end(
      view,
      view.texts.heading("cancelled"),
      paragraph(view.texts.problem("page_consent_declined")),
      row(button(view, "back", true)),
    ),
  paused: (view) =>
    plain(
      view.texts.heading("paused"),
      view.texts.paragraph("paused"),
      button(view, "resume", true),
      button(view, "cancel"),
    ),
  moreTime: (view) =>
    plain(
      view.texts.heading("moreTime"),
      view.texts.paragraph("moreTime"),
      button(view, "extend", true),
      button(view, "otherWay"),
      button(view, "cancel"),
    ),
  finished: (view) => end(view, view.texts.heading("finished"), paragraph(view.texts.paragraph("finished"))),
  failed: (view) => end(view, view.texts.heading("failed"), paragraph(view.texts.paragraph("failed"))),
  cancelled: (view) =>
    end(view, view.texts.heading("cancelled"), paragraph(view.texts.paragraph("cancelled"))),
  consent,
  confirm,
  handoff,
};

const sending = ({ texts }: View): Content => ({
  heading: texts.heading("sending"),
  nodes: [
    make("progress", { attributes: { max: "1", "aria-label": texts.label("progress") } }),
    paragraph("", "quiet place"),
  ],
});

/** The content of a screen; under the heading of a running camera stands its stage (frame.ts). */
export const contentOf = (screen: Screen, view: View): Content => {
  const plainScreen = plainScreens[screen.at];
  if (plainScreen !== undefined) return plainScreen(view);
  if (screen.at === "intro") return intro(view, screen.target);
  if (screen.at === "preview") return preview(view, screen);
  if (screen.at === "ladder") return ladder(view, screen.target);
  if (screen.at === "sending") return sending(view);
  if (screen.at === "again") return again(view, screen);
  if (screen.at === "problem") return problem(view, screen);
  return { heading: "target" in screen ? introHeading(view, screen.target) : "", nodes: [] };
};
