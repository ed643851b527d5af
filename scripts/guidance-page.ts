import { captureLanguages, guidanceTexts } from "#contract/guidance";

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** The page of the guidance codes with their texts, in Markdown, as links from the folder api/ need it. */
export const writeGuidancePage = (): string =>
  [
    "# Guidance codes",
    "",
    "Written by `npm run golden` from `src/contract/guidance.ts`: the instructions of the capture elements and pages, and of the answer `again`",
    "of a capture session. [Capture](../docs/guides/integrate/capture.md) explains them.",
    "",
    row(["Code", ...captureLanguages]),
    row(["---", ...captureLanguages.map(() => "---")]),
    ...Object.entries(guidanceTexts).map(([code, texts]) =>
      row([`\`${code}\``, ...captureLanguages.map((language) => texts[language])]),
    ),
    "",
  ].join("\n");
