/**
 * The look of the elements. Themes set the custom properties of the first block;
 * docs/guides/integrate/capture.md lists them.
 */
const css = `
:host{
  --accent:var(--idem-accent,light-dark(#0b57d0,#8ab4f8));
  --on-accent:var(--idem-on-accent,light-dark(#fff,#10233f));
  --surface:var(--idem-surface,light-dark(#fff,#15191f));
  --text:var(--idem-text,light-dark(#1a1f26,#e9edf2));
  --quiet:var(--idem-quiet,light-dark(#4b5563,#a8b0bb));
  --line:var(--idem-line,light-dark(#6b7280,#8b95a3));
  --danger:var(--idem-danger,light-dark(#b3261e,#ffb4ab));
  --radius:var(--idem-radius,12px);
  display:flow-root;color-scheme:light dark;color:var(--text);background:var(--surface);
  font:var(--idem-font,1rem/1.5 system-ui,sans-serif);border-radius:var(--radius);
  max-inline-size:40rem;margin-inline:auto;
}
:host([theme=light]){color-scheme:light}
:host([theme=dark]){color-scheme:dark}
:host([hidden]){display:none}
*{box-sizing:border-box}
[hidden]{display:none!important}
.card{padding:1rem;display:flex;flex-direction:column;gap:1rem}
h2{font-size:1.375em;line-height:1.25;margin:0;text-wrap:balance}
h2:focus{outline:none}
p{margin:0;overflow-wrap:anywhere}
.quiet{color:var(--quiet)}
.mark{align-self:start;border:1px solid var(--line);border-radius:999px;padding:0 .75rem;font-size:.875em}
.actions{display:flex;flex-wrap:wrap;gap:.75rem}
button,.file,.link{
  font:inherit;font-weight:600;min-block-size:44px;min-inline-size:44px;padding:.5rem 1.25rem;cursor:pointer;
  border:2px solid var(--line);border-radius:var(--radius);background:transparent;color:var(--text);
  display:inline-flex;align-items:center;justify-content:center;text-align:center;text-decoration:none;
}
button.main,.file.main,.link.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
button:focus-visible,.file:focus-within,.link:focus-visible,h2:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
.stage{position:relative;inline-size:100%;margin-inline:auto;background:#000;border-radius:var(--radius);overflow:hidden;aspect-ratio:4/3}
.stage video,.stage svg,.stage img{position:absolute;inset:0;inline-size:100%;block-size:100%;object-fit:contain}
.stage.mirrored video{transform:scaleX(-1)}
.stage .guide{fill:none;stroke:#fff;stroke-dasharray:4 3;vector-effect:non-scaling-stroke;stroke-width:3px}
.stage .guide.ready{stroke:#7ee2a0;stroke-dasharray:none}
.stage .found{fill:none;stroke:#7ee2a0;stroke-width:4px;vector-effect:non-scaling-stroke}
.stage .arrow{fill:#fff;stroke:#000;stroke-width:1.5px;vector-effect:non-scaling-stroke;animation:nudge 1s ease-in-out infinite alternate}
@keyframes nudge{from{opacity:.55}to{opacity:1}}
.live{display:grid;gap:.5rem}
.plate{
  margin:0;padding:.5rem .75rem;min-block-size:3.5em;display:grid;place-content:center;text-align:center;
  background:#111820;border:1px solid light-dark(#111820,#4b5563);color:#fff;font-weight:600;font-size:1.125em;line-height:1.3;
  border-radius:var(--radius);
}
.preview{max-inline-size:100%;max-block-size:60vh;margin-inline:auto;border-radius:var(--radius);display:block}
progress{inline-size:100%;block-size:.75rem;accent-color:var(--accent)}
.place{min-block-size:1.5em}
.problem,.notice{border-inline-start:4px solid var(--danger);padding-inline-start:.75rem}
.notice{margin:1rem 1rem 0}
ul{margin:0;padding-inline-start:1.25rem}
.qr{inline-size:min(100%,16rem);margin-inline:auto;background:#fff;padding:1rem;border-radius:var(--radius)}
.qr svg{display:block;inline-size:100%}
.label{text-align:center}
.code{font-size:2rem;font-weight:700;letter-spacing:.2em;text-align:center;font-variant-numeric:tabular-nums}
.hidden{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap;margin:0}
input[type=file]{position:absolute;inline-size:1px;block-size:1px;opacity:0}
@media (max-width:30rem){.actions>*{flex:1 1 auto}}
@media (prefers-reduced-motion:reduce){.stage .arrow{animation:none;opacity:1}}
@media (forced-colors:active){.plate{border:1px solid}}
`;

/** One sheet for all elements of a page: no inline style, so that a strict policy needs no exception. */
export const makeSheet = (): CSSStyleSheet => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
};
