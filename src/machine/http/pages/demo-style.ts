/** Styles of the demo. They come after the styles of all own pages. */
export const demoStyle = `header,main{max-inline-size:64rem}
main,.work{display:flex;flex-direction:column;gap:1rem}
h3{font-size:1.0625rem;line-height:1.3;margin:0}
.quiet,dt,th,time,figcaption{color:var(--quiet)}
.good{color:var(--good)}.bad{color:var(--danger)}
label{display:flex;flex-direction:column;gap:.25rem}
input,select{
  font:inherit;inline-size:100%;min-block-size:44px;padding:.25rem .75rem;border:1px solid var(--line);border-radius:12px;
  background:transparent;color:inherit;
}
option{background:var(--surface);color:var(--text)}
fieldset{border:0;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.25rem 1.5rem}
legend{padding:0;margin-block-end:.25rem}
.choice{flex-direction:row;align-items:center;gap:.5rem;min-block-size:44px}
.choice input{inline-size:1.25rem;min-block-size:1.25rem;margin:0;accent-color:var(--accent)}
.fields{display:grid;gap:.75rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,14rem),1fr))}
.main{background:var(--accent);color:var(--surface);align-self:start}
.main:disabled{opacity:.5;cursor:default}
.row{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
.stages{list-style:none;margin:0;padding:0;display:flex;flex-direction:column;gap:.25rem}
.stages li::before{content:"○ ";color:var(--quiet)}
.stages li[data-state=now]::before{content:"◐ ";color:var(--accent)}
.stages li[data-state=done]::before{content:"● ";color:var(--good)}
.stages li[data-state=now]{font-weight:600}
progress{inline-size:100%;accent-color:var(--accent)}
.verdict{font-size:1.75rem;font-weight:700;line-height:1.2}
.figures{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,18rem),1fr));align-items:start}
figure{margin:0;display:flex;flex-direction:column;gap:.5rem}
.picture{position:relative;border-radius:12px;overflow:hidden;background:var(--ground)}
.picture img,.picture svg{display:block;inline-size:100%;block-size:auto}
.picture svg{position:absolute;inset:0;block-size:100%}
.outline{fill:none;stroke:#fff;stroke-width:2;vector-effect:non-scaling-stroke;paint-order:stroke}
.mesh{fill:none;stroke:#6fd08c;stroke-width:2;stroke-linecap:round;vector-effect:non-scaling-stroke}
.shade{fill:none;stroke:#0b57d0;stroke-width:5;vector-effect:non-scaling-stroke}
dl{display:grid;grid-template-columns:minmax(7rem,auto) minmax(0,1fr);gap:.25rem 1rem;margin:0}
dd{margin:0;overflow-wrap:anywhere}
.table{overflow-x:auto;border-radius:6px}
table{border-collapse:collapse;inline-size:100%}
th,td{text-align:start;padding:.25rem .75rem .25rem 0;vertical-align:top;border-block-end:1px solid color-mix(in srgb,var(--line) 35%,transparent)}
th[scope=row]{font-weight:400;min-inline-size:11.75rem}
th[scope=row] code{overflow-wrap:anywhere}
.bar{white-space:nowrap}
td{min-inline-size:3.5rem}
td code{overflow-wrap:break-word}
meter{inline-size:4.5rem;block-size:.75rem;vertical-align:middle}
code,pre{font:.8125rem/1.5 ui-monospace,monospace}
code{overflow-wrap:anywhere}
pre{background:var(--ground);padding:.75rem;border-radius:6px;overflow:auto;max-block-size:24rem;margin:.5rem 0 0}
details>summary{cursor:pointer;min-block-size:44px;padding-block:.5rem;overflow-wrap:anywhere}
.events,.calls{list-style:none;margin:0;padding:0}
.events li,.calls li{border-block-start:1px solid color-mix(in srgb,var(--line) 35%,transparent)}
`;
