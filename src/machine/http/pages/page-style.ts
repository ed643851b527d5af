import { colours } from "./shell.ts";

/**
 * The look of the service's own pages. The elements inside bring their own sheet. A pull downwards reloads
 * none of them: with the page its key would be gone.
 */
export const pageStyle = `${colours}[hidden]{display:none!important}
html{overscroll-behavior-y:contain}
body{margin:0;font:1rem/1.5 system-ui,sans-serif;background:var(--ground);color:var(--text)}
header,main{max-inline-size:40rem;margin-inline:auto;padding-inline:1rem}
header{padding-block:1rem .5rem;display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;justify-content:space-between}
main{padding-block:.5rem 3rem}
h1{font-size:1.125rem;line-height:1.3;margin:0}
h2{font-size:1.375rem;line-height:1.25;margin:0}
p{margin:0;overflow-wrap:anywhere}
.languages{display:flex;flex-wrap:wrap;gap:.25rem}
button,.link{
  font:inherit;font-weight:600;min-block-size:44px;min-inline-size:44px;padding:.25rem .75rem;cursor:pointer;border:2px solid transparent;
  border-radius:12px;background:transparent;color:var(--accent);
}
button[aria-pressed=true]{color:var(--text);border-color:var(--line)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.card{background:var(--surface);border-radius:12px;padding:1rem;display:flex;flex-direction:column;gap:1rem}
`;
