/**
 * The token in the fragment of an address; undefined if there is none. The service judges it, so any form is
 * allowed.
 */
export const tokenIn = (fragment: string): string | undefined =>
  /^#([A-Za-z0-9_-]{1,128})$/.exec(fragment)?.[1];

/** Address of the service of a page at `…/capture/<session>`. */
export const serviceOf = (pageUrl: string): string => new URL("..", pageUrl).href.replace(/\/$/, "");

/**
 * Takes the token out of the page's address. From then on it stands in the memory of the page alone: not in
 * the address bar, not in the history, in no link and no screenshot.
 */
export const takeToken = (): string | undefined => {
  const token = tokenIn(location.hash);
  if (location.href.includes("#")) history.replaceState(null, "", location.pathname);
  return token;
};
