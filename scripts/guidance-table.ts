import { captureLanguages, guidanceTexts } from "#contract/guidance";

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** The guidance codes with their texts, in Markdown. */
export const writeGuidanceTable = (): string =>
  [
    row(["Code", ...captureLanguages]),
    row(["---", ...captureLanguages.map(() => "---")]),
    ...Object.entries(guidanceTexts).map(([code, texts]) =>
      row([`\`${code}\``, ...captureLanguages.map((language) => texts[language])]),
    ),
  ].join("\n");

const start = "<!-- guidance: written by `npm run golden` -->";
const end = "<!-- end of guidance -->";

/** The guide with the table between its marks. Throws if the guide has no marks. */
export const withGuidanceTable = (guide: string, table: string): string => {
  const [from, to] = [guide.indexOf(start), guide.indexOf(end)];
  if (from === -1 || to < from) throw new Error("docs/guides/widget.md has no marks for the table");
  return `${guide.slice(0, from)}${start}\n${table}\n${guide.slice(to)}`;
};
