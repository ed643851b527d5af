/** A report as one printable file that loads nothing and runs no script. */
import { escapeHtml, writePage as writeShell } from "#machine/http/pages/shell";

export type Section = { readonly heading: string; readonly body: string };

const style = `
:root { --one: light-dark(#1f6f8b, #6cc0dd); --two: light-dark(#c2571a, #f0965a); --mark: light-dark(#7a3e9d, #c79be6) }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--surface); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: .2rem } h2 { font-size: 1.15rem; margin: 2.2rem 0 .5rem }
p { max-width: 44rem } .soft { color: var(--quiet) }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums } th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--rule); vertical-align: top } th { color: var(--quiet); font-weight: 600 }
.wide { overflow-x: auto } .wide table { min-width: max-content } .wide td { max-width: 40rem }
.images { display: flex; flex-wrap: wrap; gap: 1rem } .images figure { margin: 0; max-width: 100% } img { max-width: 100%; height: auto; display: block }
code { font-size: .85em; overflow-wrap: anywhere } figure { margin: 1rem 0; overflow-x: auto } figcaption { color: var(--quiet) }
svg { width: 100%; height: auto; max-width: 46rem } svg text { fill: var(--quiet); font: 12px system-ui, sans-serif }
`;

/** The whole page. Headings are plain texts; bodies are HTML from this module. */
export const writePage = (title: string, lead: string, sections: readonly Section[]): string =>
  writeShell({
    title,
    hasIcon: false,
    head: [policy],
    style,
    body: `<h1>${escapeHtml(title)}</h1>
<p class="soft">${escapeHtml(lead)}</p>
${sections.map(({ heading, body }) => `<section>\n<h2>${escapeHtml(heading)}</h2>\n${body}\n</section>`).join("\n")}`,
  });

/** A file has no headers: the page states its policy itself. */
const policy =
  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">";

export const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`;

const cellOf = (text: string): string =>
  text.startsWith("code:") ? `<code>${escapeHtml(text.slice(5))}</code>` : escapeHtml(text);

const rowOf = (cells: readonly string[]): string =>
  `<tr>${cells.map((text) => `<td>${cellOf(text)}</td>`).join("")}</tr>`;

/** Version, time and arguments of the reported run. */
export type Run = { readonly version: string; readonly words: readonly string[]; readonly at: Date };

/** The command, its time and the release. */
export const leadOf = ({ version, at, words }: Run, command: string): string =>
  `idem ${version}, ${at.toISOString()}: ${command} ${words.join(" ")}`;

/** The models of the run, by name with SHA-256. */
export const models = (hashes: Readonly<Record<string, string>>): Section => ({
  heading: "Models",
  body: table(
    ["Model", "Hash in decisions (MODELS.md)"],
    Object.entries(hashes).map(([name, hash]) => [name, `code:${hash}`]),
  ),
});

/** A table of texts; a cell that begins with `code:` is set as code. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const heads = head.map((text) => `<th scope="col">${escapeHtml(text)}</th>`).join("");
  return `<div class="wide"><table>\n<thead><tr>${heads}</tr></thead>\n<tbody>\n${rows.map(rowOf).join("\n")}\n</tbody>\n</table></div>`;
};
