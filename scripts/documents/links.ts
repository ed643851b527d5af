import { dirname, join } from "node:path/posix";

/** A link of a page to another file of the project, or to a heading. */
export type Link = {
  readonly line: number;
  /** Path from the project's root; of the page itself where the link names a heading alone. */
  readonly path: string;
  /** Without `#`; empty where the link names no heading. */
  readonly anchor: string;
};

const blank = (text: string): string => text.replaceAll(/[^\n]/g, " ");

/** A page without its code: what stands there is no heading and no link. Lines and columns stay. */
const withoutCode = (page: string): string =>
  page.replaceAll(/^( *)```.*?^\1```$/gms, blank).replaceAll(/`[^`\n]+`/g, blank);

/** The relative links of a Markdown page. `path` is its own, from the project's root. */
export const linksOf = (path: string, page: string): readonly Link[] =>
  [...withoutCode(page).matchAll(/\]\(([^)\s#]*)(?:#([^)\s]*))?\)/g)]
    .filter(([, target = ""]) => !/^[a-z]+:/.test(target))
    .map(({ 1: target = "", 2: anchor = "", index }) => ({
      line: page.slice(0, index).split("\n").length,
      path: target === "" ? path : join(dirname(path), target).replace(/\/$/, ""),
      anchor,
    }));

const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

/** The anchors that GitHub gives the headings of a Markdown page: a repeated heading gets a number. */
export const anchorsOf = (page: string): ReadonlySet<string> => {
  const anchors = new Set<string>();
  const headings = page.replaceAll(/^( *)```.*?^\1```$/gms, "").matchAll(/^#{1,6} (.+)$/gm);
  for (const [, heading = ""] of headings) {
    const anchor = anchorOf(heading);
    let next = anchor;
    for (let number = 1; anchors.has(next); number += 1) next = `${anchor}-${number}`;
    anchors.add(next);
  }
  return anchors;
};

/**
 * A sentence for each link of a page that reaches no file or no heading. `read` returns undefined where there
 * is no such file or folder.
 */
export const linkFaults = (
  path: string,
  page: string,
  read: (path: string) => string | undefined,
): readonly string[] =>
  linksOf(path, page).flatMap(({ line, path: target, anchor }) => {
    const text = read(target);
    if (text === undefined) return [`${path}:${line} links to ${target}: there is no such file`];
    if (anchor === "" || !target.endsWith(".md") || anchorsOf(text).has(anchor)) return [];
    return [`${path}:${line} links to ${target}#${anchor}: there is no such heading`];
  });

/** A guide, or a source by its path from the project's root, as comments name them. */
const named = /docs\/guides\/[\w./-]+?\.md|(?<![\w./])(?:src|lab|widget)\/[\w./-]+\.ts\b/g;

/** A sentence for each guide and each source that a text names by its path, and that does not exist. */
export const namedFileFaults = (
  path: string,
  text: string,
  exists: (path: string) => boolean,
): readonly string[] =>
  [...text.matchAll(named)]
    .filter(([file]) => !exists(file))
    .map(
      ({ 0: file, index }) =>
        `${path}:${text.slice(0, index).split("\n").length} names ${file}: there is no such file`,
    );
