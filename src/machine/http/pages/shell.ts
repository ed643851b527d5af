/** The shell of every page that the service or a command writes: its head, its colours, its policy. */
import { createHash } from "node:crypto";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text as HTML, also within an attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");

/**
 * The colours of all pages, light and dark. `--line` borders what a person operates, `--rule` only separates.
 */
export const colours = `:root{
  color-scheme:light dark;
  --accent:light-dark(#0b57d0,#8ab4f8);--text:light-dark(#16191d,#e8eaed);--quiet:light-dark(#4b5563,#a8b0bb);
  --line:light-dark(#6b7280,#8b95a3);--rule:light-dark(#d9dde3,#3a4048);
  --ground:light-dark(#f4f5f7,#0e1115);--surface:light-dark(#fff,#14171b);
  --danger:light-dark(#b3261e,#ffb4ab);--good:light-dark(#0a6b2e,#6fd08c);
}
*{box-sizing:border-box}
`;

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0b57d0"/><path d="M4 6h8M4 10h8" stroke="#fff" stroke-width="2"/></svg>',
)}`;

export type Page = {
  /** Default: English. */
  readonly lang?: "en" | "es";
  /** Plain text. */
  readonly title: string;
  /** CSS after the colours, within the page. A page with a sheet of its own names it in `head`. */
  readonly style?: string;
  /** More elements of the head, as HTML. */
  readonly head?: readonly string[];
  /** False: the page loads nothing at all, as one that a clerk prints. */
  readonly hasIcon?: boolean;
  /** Search engines leave the page out. */
  readonly isPrivate?: boolean;
  /** The content of the body, as HTML. */
  readonly body: string;
};

const styleOf = (style: string): string => `${colours}${style}`;

/** A whole page. It runs nothing inline. */
export const writePage = ({
  lang = "en",
  title,
  style,
  head = [],
  hasIcon = true,
  isPrivate,
  body,
}: Page): string => `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${[
  ...(isPrivate === true ? ['<meta name="robots" content="noindex">'] : []),
  `<title>${escapeHtml(title)}</title>`,
  ...(hasIcon ? [`<link rel="icon" href="${icon}">`] : []),
  ...head,
  ...(style === undefined ? [] : [`<style>${styleOf(style)}</style>`]),
].join("\n")}
</head>
<body>
${body}
</body>
</html>
`;

/** The source of a style of {@link writePage} for a policy: the hash of its text. */
export const styleSource = (style: string): string =>
  `'sha256-${createHash("sha256").update(styleOf(style)).digest("base64")}'`;

/** The sources of what a page loads. What is left out is loaded from nowhere. */
export type Sources = Partial<
  Readonly<Record<"connect" | "font" | "img" | "script" | "style" | "worker", string>>
>;

/**
 * A Content-Security-Policy of these sources and no other. The page stands in no frame, and sends no form.
 */
export const policyOf = (sources: Sources): string =>
  [
    "default-src 'none'",
    ...Object.entries(sources).map(([kind, from]) => `${kind}-src ${from}`),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** The body of a page that its script fills. */
export const withoutScript = `<noscript>
<main>
<p lang="es">Esta página necesita JavaScript.</p>
<p lang="en">This page needs JavaScript.</p>
<p lang="pt-BR">Esta página precisa de JavaScript.</p>
</main>
</noscript>`;
