/** A report as one printable file that loads nothing and runs no script. */

/** Escapes a text for HTML. */
export const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

export type Section = { readonly heading: string; readonly body: string };

const style = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5d6878; --line: #d5dbe3; --paper: #ffffff; --one: #1f6f8b; --two: #c2571a; --mark: #7a3e9d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ebf0; --soft: #9aa6b5; --line: #364150; --paper: #12181f; --one: #6cc0dd; --two: #f0965a; --mark: #c79be6; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: .2rem } h2 { font-size: 1.15rem; margin: 2.2rem 0 .5rem }
p { max-width: 44rem } .soft { color: var(--soft) }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums } th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top } th { color: var(--soft); font-weight: 600 }
.wide { overflow-x: auto } .wide table { min-width: max-content } .wide td { max-width: 40rem }
.images { display: flex; flex-wrap: wrap; gap: 1rem } .images figure { margin: 0; max-width: 100% } img { max-width: 100%; height: auto; display: block }
code { font-size: .85em; overflow-wrap: anywhere } figure { margin: 1rem 0; overflow-x: auto } figcaption { color: var(--soft) }
svg { width: 100%; height: auto; max-width: 46rem } svg text { fill: var(--soft); font: 12px system-ui, sans-serif }
`;

/** The whole page. Headings are plain texts; bodies are HTML from this module. */
export const writePage = (
  title: string,
  lead: string,
  sections: readonly Section[],
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escape(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escape(title)}</h1>
<p class="soft">${escape(lead)}</p>
${sections.map(({ heading, body }) => `<section>\n<h2>${escape(heading)}</h2>\n${body}\n</section>`).join("\n")}
</body>
</html>
`;

export const paragraph = (text: string): string => `<p>${escape(text)}</p>`;

const cellOf = (text: string): string =>
  text.startsWith("code:") ? `<code>${escape(text.slice(5))}</code>` : escape(text);

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
  const heads = head.map((text) => `<th scope="col">${escape(text)}</th>`).join("");
  return `<div class="wide"><table>\n<thead><tr>${heads}</tr></thead>\n<tbody>\n${rows.map(rowOf).join("\n")}\n</tbody>\n</table></div>`;
};
