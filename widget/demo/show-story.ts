/** The story of an onboarding as a page. */
import { make } from "../view/dom.ts";
import type { Captured } from "./onboard.ts";
import { say } from "./say.ts";
import { showFace, showSide } from "./show-images.ts";
import { type Cell, nameOf, showBar, showFacts, showFields, showSection, showTable } from "./show-parts.ts";
import { type Finding, type Story, writeNumber } from "./story.ts";

const showFaces = (story: Story, captured: Captured): HTMLElement =>
  showSection("faces", [
    make("div", { class: "figures" }, [
      showFace(captured.selfie, story.selfie, { caption: "selfie", alt: "selfieAlt" }),
      showFace(captured.front, story.portrait, { caption: "portrait", alt: "portraitAlt" }),
    ]),
    say("h3", "comparison"),
    showFacts(story.comparison),
    say("h3", "liveness"),
    showFacts(story.liveness),
    ...(story.cues.length === 0
      ? []
      : [say("h3", "cues"), say("p", "cueHint", { class: "quiet" }), showCues(story)]),
  ]);

/** The bars have the length of the strongest cue. */
const showCues = ({ cues }: Story): HTMLElement => {
  const most = Math.max(1, ...cues.map(({ weight }) => Math.abs(weight)));
  return showTable(
    "cues",
    ["name", "weight"],
    cues.map(({ name, weight }) => [
      make("code", { text: name }),
      showBar(Math.abs(weight), most, writeNumber(weight)),
    ]),
  );
};

const showQuality = ({ qualityScore, quality, estimates }: Story): HTMLElement =>
  showSection("quality", [
    ...(qualityScore === undefined ? [] : [make("p", { class: "verdict", text: `${qualityScore} / 100` })]),
    showTable(
      "quality",
      ["name", "value"],
      quality.map(({ name, value }) => [
        make("code", { text: name }),
        showBar(value, 100, writeNumber(value)),
      ]),
    ),
    say("h3", "estimates"),
    showFields(estimates),
  ]);

const showDocument = ({ sides, fields }: Story, { front, back }: Captured): HTMLElement => {
  const images = [
    { image: front, caption: "front" },
    { image: back, caption: "back" },
  ] as const;
  const figures = sides.flatMap((side, at) => {
    const { image, caption } = images[at] ?? images[0];
    return image === undefined ? [] : [showSide(image, side, caption)];
  });
  return showSection("document", [
    make("div", { class: "figures" }, figures),
    say("h3", "fields"),
    showFields(fields),
  ]);
};

const findingRow = ({ name, code, holds, figures }: Finding): readonly Cell[] => [
  make("code", { text: name }),
  code === undefined ? "" : String(code),
  say("span", holds ?? "withheld", holds === "yes" ? { class: "bad" } : {}),
  figures.map(([figure, value]) => `${figure} ${value}`).join(", "),
];

const showFindings = (findings: readonly Finding[]): HTMLElement =>
  showTable("findings", ["name", "code", "holds", "figures"], findings.map(findingRow));

const showDecision = ({ decision, findings }: Story): HTMLElement => {
  const held = findings.filter(({ holds }) => holds === "yes");
  return showSection("decision", [
    showFacts(decision),
    say("h3", "findings"),
    held.length === 0 ? say("p", "findingsNone") : showFindings(held),
    make("details", {}, [say("summary", "findingsAll"), showFindings(findings)]),
  ]);
};

const toneOf: Readonly<Record<Story["outcome"], string>> = {
  approved: "good",
  rejected: "bad",
  retry: "",
  review: "",
  error: "bad",
};

/** The result in one word, with its operation and its time. The heading takes the focus. */
export const showVerdict = (story: Story, { operationId }: Captured): HTMLElement => {
  const section = showSection("storyHeading", [
    say("p", story.outcome, { class: `verdict ${toneOf[story.outcome]}`.trim() }),
    make("dl", {}, [
      make("dt", {}, [nameOf("operation")]),
      make("dd", {}, [make("code", { text: operationId })]),
      make("dt", {}, [nameOf("total")]),
      make("dd", { text: `${(story.ms / 1000).toFixed(1)} s` }),
    ]),
  ]);
  section.setAttribute("data-outcome", story.outcome);
  return section;
};

/** The sections after the result, in the order of the onboarding. */
export const showStory = (story: Story, captured: Captured): readonly HTMLElement[] => [
  showFaces(story, captured),
  showQuality(story),
  showDocument(story, captured),
  showDecision(story),
];
