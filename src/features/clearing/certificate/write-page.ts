import { printable } from "#contract/printable";
import { escapeHtml, policyOf, styleSource, writePage as writeShell } from "#machine/http/pages/shell";
import type { Certificate, Section } from "./certificate.ts";
import type { DrawQr, QrSymbol } from "./draw-qr.ts";
import { sheetOf } from "./sheet.ts";

const style = `
body{margin:0;font:16px/1.5 system-ui,sans-serif;background:var(--surface);color:var(--text)}
main{max-width:46rem;margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem}
h2{font-size:1.05rem;margin:1.75rem 0 .25rem}
p{margin:.25rem 0}
.statement{background:light-dark(#eef7f0,#16251b);color:var(--good);font-weight:600;padding:.75rem 1rem;border-left:4px solid var(--good);border-radius:4px}
.note{padding:.75rem 1rem;border-left:4px solid var(--quiet)}
dl{display:grid;grid-template-columns:14rem minmax(0,1fr);margin:0}
dt,dd{margin:0;padding:.45rem 0;border-top:1px solid var(--rule)}
dt{color:var(--quiet);padding-right:1rem}
dd{overflow-wrap:anywhere}
.link{display:flex;gap:1.25rem;align-items:flex-start;margin-top:1.75rem}
.link svg{flex:none;width:11rem;height:11rem;background:#fff;border:1px solid var(--rule)}
.link p{overflow-wrap:anywhere;color:var(--quiet);font-size:.875rem}
footer{margin-top:2rem;padding-top:.75rem;border-top:1px solid var(--rule);color:var(--quiet);font-size:.875rem}
@media(max-width:40rem){dl{grid-template-columns:1fr}dt{padding-bottom:0}dd{border-top:0;padding-top:0}.link{flex-direction:column}}
@media print{:root{color-scheme:light}body{font-size:10pt}main{max-width:none;padding:0}h2{break-after:avoid}dt,dd{padding:.2rem 0;break-inside:avoid}.link{break-inside:avoid}.link svg{width:4cm;height:4cm}}
@page{size:A4;margin:18mm}
`;

/** One style, which its hash admits, and nothing else: no script, no resource. */
const pageSecurity = policyOf({ style: styleSource(style) });

/** Headers of every page. */
export const pageHeaders = { "content-security-policy": pageSecurity, vary: "accept" } as const;

const textOf = (text: string): string => escapeHtml(printable(text));

/** Light modules around a symbol (ISO/IEC 18004, 9.1). */
const quietModules = 4;

const svgOf = (symbol: QrSymbol): string => {
  const side = symbol.length + 2 * quietModules;
  const runs = symbol.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + quietModules} ${y + quietModules}h1v1h-1z`] : [])),
  );
  return `<svg viewBox="0 0 ${side} ${side}" role="img" aria-label="Código QR del enlace de verificación" shape-rendering="crispEdges"><path d="${runs.join("")}"/></svg>`;
};

const sectionOf = ({ title, note, rows }: Section): string =>
  [
    `<h2>${textOf(title)}</h2>`,
    note === undefined ? "" : `<p>${textOf(note)}</p>`,
    rows.length === 0
      ? ""
      : `<dl>${rows.map(([label, value]) => `<dt>${textOf(label)}</dt><dd>${textOf(value)}</dd>`).join("")}</dl>`,
  ].join("");

/** The certificate as a page for a clerk: readable on a telephone and on a desk, and printable. */
export const writePage = async (certificate: Certificate, drawQr: DrawQr): Promise<string> => {
  const { title, statement, sections, linkNote, annex, footer } = sheetOf(certificate);
  const { content } = certificate;
  const symbol = await drawQr(certificate.link);
  return pageOf(
    title,
    `<p class="${content.environment === "live" ? "statement" : "note"}">${textOf(statement)}</p>
${sections.map(sectionOf).join("\n")}
<div class="link">${symbol === undefined ? "" : svgOf(symbol)}<div><p>${textOf(linkNote)}</p><p>${textOf(certificate.link)}</p></div></div>
${sectionOf(annex)}
<footer>${textOf(footer)}</footer>`,
  );
};

/** A page of the same look with one text. */
export const writeNote = (title: string, text: string): string =>
  pageOf(title, `<p class="note">${textOf(text)}</p>`);

const pageOf = (title: string, content: string): string =>
  writeShell({
    lang: "es",
    title: printable(title),
    hasIcon: false,
    isPrivate: true,
    style,
    body: `<main><h1>${textOf(title)}</h1>${content}</main>`,
  });
